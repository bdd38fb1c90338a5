import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Lithic: event subscriptions. */
export const lithic = defineService({
  name: 'lithic',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'event_type',
  id: { header: 'webhook-id' },
  subject: ['card_token', 'token'],
  time: 'created',
})

export const facts: ServiceFacts = {
  title: 'Lithic',
  docs: 'https://docs.lithic.com/docs/events-api',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.lithic.com/docs/events-api',
    'https://github.com/lithic-com/lithic-node/blob/main/src/resources/webhooks.ts',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Create an event subscription with the address in the dashboard or with the API.',
    'The secret is the secret of the subscription, with its prefix `whsec_`.',
  ],
  retries: 'seven times within about 28 hours',
}
