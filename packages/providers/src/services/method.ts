import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Method Financial: webhooks of a team. */
export const method = defineService({
  name: 'method',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'method-webhook-signature',
    timestamp: signedTime({ header: 'method-webhook-timestamp' }),
    content: ({ timestamp, body }) => [timestamp, ':', body],
  }),
  kind: 'type',
  distinct: (payload) => (Object(payload) as { event?: unknown }).event === undefined,
  subject: 'id',
})

export const facts: ServiceFacts = {
  title: 'Method Financial',
  docs: 'https://docs.methodfi.com/reference/webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.methodfi.com/reference/webhooks/overview',
    'https://github.com/MethodFi/method-node/blob/master/src/resources/Webhook/types.ts',
  ],
  setup: [
    'Create a webhook with the address and `hmac_secret` with the API.',
    'The secret is `hmac_secret` that you chose.',
  ],
  retries: 'four more times with growing delays, until the status is 200',
  traps: [
    'A body without `event`, the id of the event, can be equal for two changes of one object: each such delivery is a new event, and a retry is one, too.',
    'The payload has only ids: read the object with the API.',
  ],
}
