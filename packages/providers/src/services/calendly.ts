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
  id: ['payload.uri', 'created_at'],
  subject: 'payload.uri',
  time: 'created_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Calendly',
  docs: 'https://developer.calendly.com/api-docs/ZG9jOjM2MzE2MDM4-webhook-signatures',
  confidence: 'secondary',
  setup: [
    'Create a webhook subscription with the address and a `signing_key` with the API.',
    'The secret is the signing key.',
  ],
  retries: 'for 24 hours; Calendly then disables the subscription',
}
