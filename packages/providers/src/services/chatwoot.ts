import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Chatwoot: webhooks of an account. */
export const chatwoot = defineService({
  name: 'chatwoot',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-chatwoot-signature',
    prefix: 'sha256=',
    timestamp: signedTime({ header: 'x-chatwoot-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event',
  distinct: true,
  deliveryId: { header: 'x-chatwoot-delivery' },
  subject: ['account.id', 'conversation.id', 'id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Chatwoot',
  docs: 'https://www.chatwoot.com/hc/user-guide/articles/1677693021-how-to-use-webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://github.com/chatwoot/chatwoot/blob/develop/app/jobs/webhook_job.rb'],
  setup: [
    'Open Settings, Integrations, Webhooks, and add a webhook with the address.',
    'The secret is the secret of the webhook.',
  ],
  retries: 'unknown',
  traps: [
    'Events such as `conversation_typing_on` have no time: `x-chatwoot-delivery` tells attempts from events. It is not signed: within 5 minutes, a captured delivery under an invented id is a new event.',
  ],
}
