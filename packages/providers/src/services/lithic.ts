import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Lithic: event subscriptions. */
export const lithic = defineService({
  name: 'lithic',
  signature: standardWebhooks(),
  kind: 'event_type',
  id: { header: 'webhook-id' },
  subject: ['card_token', 'token'],
  time: 'created',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Lithic',
  docs: 'https://docs.lithic.com/docs/events-api',
  confidence: 'primary',
  setup: [
    'Create an event subscription with the address in the dashboard or with the API.',
    'The secret is the secret of the subscription, with its prefix `whsec_`.',
  ],
}
