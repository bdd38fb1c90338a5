import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Dodo Payments: webhooks of a business. */
export const dodoPayments = defineService({
  name: 'dodo-payments',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: ['data.payment_id', 'data.subscription_id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Dodo Payments',
  docs: 'https://docs.dodopayments.com/developer-resources/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.dodopayments.com/developer-resources/webhooks',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Open Developer, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret of the endpoint.',
  ],
  retries: 'with growing delays',
  traps: ['The old secret is valid for 24 hours after a rotation.'],
}
