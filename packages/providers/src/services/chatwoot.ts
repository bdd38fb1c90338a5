import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Chatwoot: webhooks of an account. */
export const chatwoot = defineService({
  name: 'chatwoot',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-chatwoot-signature',
    prefix: 'sha256=',
    timestamp: signedTime({ header: 'x-chatwoot-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event',
  subject: ['account.id', 'conversation.id', 'id'],
  time: 'created_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Chatwoot',
  docs: 'https://www.chatwoot.com/hc/user-guide/articles/1677693021-how-to-use-webhooks',
  confidence: 'secondary',
  setup: [
    'Open Settings, Integrations, Webhooks, and add a webhook with the address.',
    'The secret is the secret of the webhook.',
  ],
  traps: ['`x-chatwoot-delivery` is not signed.'],
}
