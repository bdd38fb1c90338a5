import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Buy Me a Coffee: webhooks of a page. */
export const buyMeACoffee = defineService({
  name: 'buy-me-a-coffee',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature-sha256' }),
  kind: 'type',
  id: 'event_id',
  subject: ['data.object', 'data.id'],
  time: 'created',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Buy Me a Coffee',
  docs: 'https://studio.buymeacoffee.com/webhooks/docs',
  confidence: 'primary',
  setup: [
    'Open Studio, Webhooks, and create a webhook with the address.',
    'The secret is the secret of the webhook.',
  ],
  retries: 'on each status of 300 or more; disabled after ten failures in a row',
  traps: ['`attempt` changes between attempts.', 'A new secret makes the old one invalid at once.'],
}
