import { defineService, hmac, listHeader, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Revolut Business and Merchant: webhooks. */
export const revolut = defineService({
  name: 'revolut',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: listHeader('revolut-signature', { prefix: 'v1=' }),
    timestamp: signedTime({ header: 'revolut-request-timestamp', unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => ['v1.', timestamp, '.', body],
  }),
  kind: 'event',
  distinct: (event) => (Object(event) as { timestamp?: unknown }).timestamp === undefined,
  subject: ['data.id', 'order_id', 'subscription_id', 'payout_id', 'dispute_id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Revolut',
  docs: 'https://developer.revolut.com/docs/guides/manage-accounts/tutorials/work-with-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.revolut.com/docs/guides/manage-accounts/tutorials/work-with-webhooks',
    'https://github.com/revolut-engineering/revolut-openapi/blob/master/yaml/merchant-2026-04-20.yaml',
    'https://github.com/revolut-engineering/revolut-openapi/blob/master/yaml/business.yaml',
  ],
  setup: [
    'Create a webhook with the address with the Business API or the Merchant API.',
    'The secret is the signing secret of the webhook, with its prefix `wsk_`.',
  ],
  retries: 'three times, every 10 minutes',
  traps: [
    'The payload has no id of the event: the id is the hash of the body.',
    'Events of the Merchant API have no time, and two declined payments of an order have equal bodies: each such delivery is a new event, and a retry is one, too.',
    'While two secrets are active, the header has two signatures.',
  ],
}
