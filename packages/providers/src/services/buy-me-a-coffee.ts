import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Buy Me a Coffee: webhooks of a page. */
export const buyMeACoffee = defineService({
  name: 'buy-me-a-coffee',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature-sha256' }),
  kind: 'type',
  ignore: ['attempt'],
  subject: ['data.object', 'data.id'],
  time: 'created',
})

export const facts: ServiceFacts = {
  title: 'Buy Me a Coffee',
  docs: 'https://studio.buymeacoffee.com/webhooks/docs',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://studio.buymeacoffee.com/webhooks/docs',
    'https://help.buymeacoffee.com/en/articles/15743173-how-to-setup-and-use-buy-me-a-coffee-webhooks',
  ],
  setup: [
    'Open Studio, Webhooks, and create a webhook with the address.',
    'The secret is the secret of the webhook.',
  ],
  retries: 'on each status of 300 or more; disabled after more than ten failures in a row',
  traps: [
    '`attempt` changes between attempts: the identity omits it.',
    'A new secret makes the old one invalid at once.',
  ],
}
