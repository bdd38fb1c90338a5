import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Coinbase Commerce: webhooks of a merchant. */
export const coinbaseCommerce = defineService({
  name: 'coinbase-commerce',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-cc-webhook-signature' }),
  kind: 'event.type',
  id: 'event.id',
  subject: 'event.data.code',
  time: 'event.created_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Coinbase Commerce',
  docs: 'https://docs.cdp.coinbase.com/commerce/introduction/webhooks',
  confidence: 'primary',
  setup: [
    'Open Settings, Notifications, Webhook subscriptions, and add the address.',
    'The secret is the shared secret of the webhooks.',
  ],
  retries: 'with growing delays for 3 days',
  traps: ['`id` and `attempt_number` change between attempts.'],
}
