import { defineService, hmac, listHeader, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Recurly: JSON webhooks. */
export const recurly = defineService({
  name: 'recurly',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: listHeader('recurly-signature', { timestamp: true }),
    timestamp: signedTime({ unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: ['object_type', 'event_type'],
  id: 'id',
  subject: ['object_type', 'uuid'],
  time: 'event_time',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Recurly',
  docs: 'https://docs.recurly.com/recurly-subscriptions/docs/webhooks',
  confidence: 'primary',
  setup: [
    'Open Integrations, Webhooks, and create an endpoint with the address and the format JSON.',
    'The secret is the secret key of the endpoint.',
  ],
  retries: 'up to ten times with growing delays',
  traps: ['Webhooks in XML are not signed: this provider refuses them.'],
}
