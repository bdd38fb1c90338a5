import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Increase: webhooks of an account. */
export const increase = defineService({
  name: 'increase',
  signature: standardWebhooks({ secretEncoding: 'utf8' }),
  kind: 'category',
  id: { header: 'webhook-id' },
  subject: 'associated_object_id',
  time: 'created_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Increase',
  docs: 'https://increase.com/documentation/webhooks',
  confidence: 'primary',
  setup: [
    'Open Developers, Webhooks, and create a subscription with the address.',
    'The secret is the shared secret of the subscription, as text.',
  ],
}
