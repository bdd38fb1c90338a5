import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Shippo: webhooks with an HMAC signature. */
export const shippo = defineService({
  name: 'shippo',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('shippo-auth-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event',
  subject: ['data.tracking_number', 'data.object_id'],
  time: 'data.tracking_status.status_date',
})

export const facts: ServiceFacts = {
  title: 'Shippo',
  docs: 'https://docs.goshippo.com/docs/Tracking/WebhookSecurity',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.goshippo.com/docs/Tracking/Webhooks',
    'https://docs.goshippo.com/tracking/tracking',
  ],
  setup: [
    'Open Settings, API, Webhooks, and add a webhook with the address.',
    'Ask the support of Shippo for HMAC signatures: it sends the secret.',
  ],
  retries: 'unknown',
  traps: ['An address that is registered twice for an event receives it twice.'],
}
