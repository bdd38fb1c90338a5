import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Increase: webhooks of an account. */
export const increase = defineService({
  name: 'increase',
  createsSecret: true,
  signature: standardWebhooks({ secretEncoding: 'utf8' }),
  kind: 'category',
  id: { header: 'webhook-id' },
  subject: 'associated_object_id',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Increase',
  docs: 'https://increase.com/documentation/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://increase.com/documentation/webhooks',
    'https://github.com/Increase/increase-typescript/blob/main/README.md',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Open Developers, Webhooks, and create a subscription with the address.',
    'The secret is the shared secret of the subscription, as text.',
  ],
  retries: 'up to seven times with growing delays, in production only',
}
