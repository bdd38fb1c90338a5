import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Courier: outbound webhooks. */
export const courier = defineService({
  name: 'courier',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('courier-signature', { timestamp: 't', signature: 'signature' }),
    timestamp: signedTime({ unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
  subject: 'data.id',
})

export const facts: ServiceFacts = {
  title: 'Courier',
  docs: 'https://www.courier.com/docs/platform/workspaces/outbound-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://www.courier.com/docs/platform/workspaces/outbound-webhooks'],
  setup: [
    'Open Settings, Outbound Webhooks, and add the address.',
    'The secret is the signing secret of the webhook.',
  ],
  retries: 'unknown',
}
