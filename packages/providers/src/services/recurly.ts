import { defineService, hmac, listHeader, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Recurly: JSON webhooks. */
export const recurly = defineService({
  name: 'recurly',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: listHeader('recurly-signature', { timestamp: true }),
    timestamp: signedTime({ unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: ['object_type', 'event_type'],
  subject: ['object_type', 'id'],
  time: 'event_time',
})

export const facts: ServiceFacts = {
  title: 'Recurly',
  docs: 'https://docs.recurly.com/recurly-subscriptions/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.recurly.com/recurly-subscriptions/docs/webhooks',
    'https://docs.recurly.com/recurly-subscriptions/docs/automatic-retries',
    'https://docs.recurly.com/v1.3/docs/usage-notifications',
  ],
  setup: [
    'Open Integrations, Webhooks, and create an endpoint with the address and the format JSON.',
    'The secret is the secret key of the endpoint.',
  ],
  retries: 'up to ten times with growing delays',
  traps: [
    'Webhooks in XML are not signed: this provider refuses them.',
    '`id` is the id of the object, not of the event. The body names only the object: read it with the API.',
    'Two changes of an object within one second have equal bodies and are one event.',
  ],
}
