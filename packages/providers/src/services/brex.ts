import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Brex: webhooks of an account. */
export const brex = defineService({
  name: 'brex',
  signature: standardWebhooks(),
  kind: 'event_type',
  id: { header: 'webhook-id' },
  subject: ['company_id', 'transfer_id', 'user_id'],
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Brex',
  docs: 'https://developer.brex.com/guides/webhooks',
  confidence: 'secondary',
  setup: [
    'Register the address with the Webhooks API.',
    'The secret is the result of `GET /v1/webhooks/secrets`.',
  ],
}
