import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Autumn: webhooks of billing. */
export const autumn = defineService({
  name: 'autumn',
  createsSecret: true,
  signature: standardWebhooks({ prefix: 'svix' }),
  kind: 'type',
  id: { header: 'svix-id' },
  subject: ['data.customer_id', 'data.customer.id'],
})

export const facts: ServiceFacts = {
  title: 'Autumn',
  docs: 'https://docs.useautumn.com/documentation/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.useautumn.com/documentation/webhooks',
    'https://docs.useautumn.com/api-reference/webhooks/billingUpdated',
    'https://mintlify.wiki/useautumn/autumn/integration/webhooks',
  ],
  identity: 'https://www.mintlify.com/useautumn/autumn/integration/webhooks',
  setup: [
    'Open Settings, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret of the endpoint, with its prefix `whsec_`.',
  ],
  retries: 'seven times within about 28 hours: after 1, 5 and 30 minutes, then 2, 5, 10 and 10 hours',
  traps: ['A body has neither an id nor the time of the event.'],
}
