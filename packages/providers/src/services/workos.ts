import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** WorkOS: webhooks of environments. */
export const workos = defineService({
  name: 'workos',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('workos-signature', { timestamp: 't', signature: 'v1', separator: ', ' }),
    timestamp: signedTime({ unit: 'ms' }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event',
  id: 'id',
  subject: 'data.id',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'WorkOS',
  docs: 'https://workos.com/docs/events/data-syncing/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://workos.com/docs/webhooks',
    'https://github.com/workos/workos-node/blob/main/src/common/crypto/signature-provider.ts',
    'https://workos.com/docs/reference/events.md',
  ],
  identity: 'https://workos.com/docs/reference/events.md',
  setup: [
    'Open Developer, Webhooks, and create a webhook with the address.',
    'The secret is the signing secret of the webhook.',
  ],
  retries: 'up to 12 times in three days; the order is not preserved',
}
