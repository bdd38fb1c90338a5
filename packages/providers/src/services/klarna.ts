import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Klarna: notifications of payments and partners. */
export const klarna = defineService({
  name: 'klarna',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'klarna-signature' }),
  kind: 'metadata.event_type',
  id: 'metadata.event_id',
  subject: ['payload.payment_request_id', 'payload.account_id'],
  time: 'metadata.occurred_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Klarna',
  docs: 'https://docs.klarna.com/klarna-network-distribution/',
  confidence: 'primary',
  setup: [
    'Create a signing key and a webhook with the address with the Partner Management API.',
    'The secret is the signing key, as text. Klarna shows it once.',
  ],
  retries: 'with growing delays for 12 hours',
  traps: ['`klarna-signing-key-id` is not signed: the provider tries each configured key.'],
}
