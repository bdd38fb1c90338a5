import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Calendly: webhook subscriptions. */
export const calendly = defineService({
  name: 'calendly',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('calendly-webhook-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 180 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event',
  subject: 'payload.uri',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Calendly',
  docs: 'https://developer.calendly.com/docs/webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.calendly.com/docs/webhooks/overview',
    'https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures.md',
  ],
  setup: [
    'Create a webhook subscription with the address and a `signing_key` with the API.',
    'The secret is the signing key.',
  ],
  retries:
    'with growing delays for 24 hours; Calendly then disables the subscription. A status of 410 deletes it',
}
