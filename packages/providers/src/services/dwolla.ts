import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Dwolla: webhook subscriptions. */
export const dwolla = defineService({
  name: 'dwolla',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-request-signature-sha-256' }),
  kind: 'topic',
  id: 'id',
  subject: 'resourceId',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Dwolla',
  docs: 'https://developers.dwolla.com/docs/balance/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.dwolla.com/docs/balance/webhooks',
    'https://developers.dwolla.com/docs/api-reference/webhook-subscriptions',
    'https://developers.dwolla.com/docs/connect/api-reference/webhooks',
  ],
  identity: 'https://developers.dwolla.com/docs/connect/api-reference/webhooks',
  setup: [
    'Create a webhook subscription with the address and a secret with the API.',
    'The secret is the one that you chose.',
  ],
  retries: 'eight times within 72 hours; Dwolla pauses a subscription after 400 failures and 24 hours',
}
