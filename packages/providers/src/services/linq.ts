import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Linq: webhook subscriptions. */
export const linq = defineService({
  name: 'linq',
  signature: standardWebhooks(),
  kind: 'event_type',
  id: 'event_id',
  subject: ['data.chat_id', 'data.id'],
  time: 'created_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Linq',
  docs: 'https://docs.linqapp.com/guides/webhooks/',
  confidence: 'secondary',
  setup: [
    'Create a webhook subscription with the address with the API.',
    'The secret is `signing_secret` in the response.',
  ],
}
