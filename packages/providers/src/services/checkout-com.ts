import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Checkout.com: webhooks of workflows. */
export const checkoutCom = defineService({
  name: 'checkout-com',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'cko-signature' }),
  kind: 'type',
  id: 'id',
  subject: 'data.id',
  time: ['created_on', 'timestamp'],
})

export const facts: ServiceFacts = {
  title: 'Checkout.com',
  docs: 'https://www.checkout.com/docs/developer-resources/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://www.checkout.com/docs/workflows', 'https://www.checkout.com/docs/workflows/view-events'],
  identity: 'https://www.checkout.com/docs/workflows/view-events',
  setup: [
    'Open Developers, Workflows, and create a workflow with a webhook action and the address.',
    'The secret is the signature key of the action.',
  ],
  retries: 'up to eight times within 30 hours',
}
