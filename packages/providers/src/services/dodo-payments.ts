import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Dodo Payments: webhooks of a business. */
export const dodoPayments = defineService({
  name: 'dodo-payments',
  signature: standardWebhooks(),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: ['data.payment_id', 'data.subscription_id'],
  time: 'timestamp',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Dodo Payments',
  docs: 'https://docs.dodopayments.com/developer-resources/webhooks',
  confidence: 'primary',
  setup: [
    'Open Developer, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret of the endpoint.',
  ],
  traps: ['The old secret is valid for 24 hours after a rotation.'],
}
