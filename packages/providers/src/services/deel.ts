import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Deel: webhooks of an organization. */
export const deel = defineService({
  name: 'deel',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-deel-signature',
    content: ({ body }) => ['POST', body],
  }),
  kind: 'data.meta.event_type',
  subject: ['data.meta.organization_id', 'data.resource.0.id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Deel',
  docs: 'https://developer.deel.com/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.deel.com/api/webhooks/introduction',
    'https://developer.deel.com/docs/webhooks-get-started',
  ],
  setup: [
    'Open Apps and perks, Developer center, Webhooks, and create a webhook with the address.',
    'The secret is the signing key of the webhook.',
  ],
  retries: 'until ten failures in a row; Deel then disables the subscription',
  traps: [
    'The text `POST` precedes the body in the signed content.',
    'The payload has no id of the event: the id is the hash of the body.',
  ],
}
