import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Linq: webhook subscriptions. */
export const linq = defineService({
  name: 'linq',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'event_type',
  id: 'event_id',
  subject: ['data.chat_id', 'data.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Linq',
  docs: 'https://docs.linqapp.com/guides/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.linqapp.com/guides/webhooks/'],
  identity: 'https://docs.linqapp.com/guides/webhooks/',
  setup: [
    'Create a webhook subscription with the address with the API.',
    'The secret is `signing_secret` in the response.',
  ],
  retries: 'up to ten times in about 25 minutes, after no answer, a status of 5xx or 429',
}
