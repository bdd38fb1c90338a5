import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Coinbase Commerce: webhooks of a merchant. */
export const coinbaseCommerce = defineService({
  name: 'coinbase-commerce',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-cc-webhook-signature' }),
  kind: 'event.type',
  ignore: ['id', 'scheduled_for', 'attempt_number'],
  subject: 'event.data.code',
  time: 'event.created_at',
})

export const facts: ServiceFacts = {
  title: 'Coinbase Commerce',
  docs: 'https://docs.cdp.coinbase.com/commerce/introduction/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.cdp.coinbase.com/commerce/api-arcitecture/webhooks-overview',
    'https://docs.cdp.coinbase.com/commerce/api-arcitecture/webhooks-fields',
    'https://github.com/coinbase/coinbase-commerce-node/blob/master/lib/Webhook.js',
  ],
  setup: [
    'Open Settings, Notifications, Webhook subscriptions, and add the address.',
    'The secret is the shared secret of the webhooks.',
  ],
  retries: 'with growing delays of up to 1 hour for 3 days',
  traps: ['`id`, `scheduled_for` and `attempt_number` can change between attempts: the identity omits them.'],
}
