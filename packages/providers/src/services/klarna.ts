import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Klarna: notifications of payments and partners. */
export const klarna = defineService({
  name: 'klarna',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'klarna-signature' }),
  kind: 'metadata.event_type',
  id: 'metadata.event_id',
  subject: ['payload.payment_request_id', 'payload.account_id'],
  time: 'metadata.occurred_at',
})

export const facts: ServiceFacts = {
  title: 'Klarna',
  docs: 'https://docs.klarna.com/klarna-network-distribution/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.klarna.com/klarna-network-distribution/setup-your-integration/connection-configuration/setup-your-webhooks/',
    'https://docs.klarna.com/klarna-network-distribution/manage-partners/integration-setup-and-notifications/webhooks',
    'https://docs.klarna.com/acquirer/worldpay-test/recommended-integration/webhooks-registration/',
  ],
  identity:
    'https://docs.klarna.com/klarna-network-distribution/setup-your-integration/connection-configuration/setup-your-webhooks/',
  setup: [
    'Create a signing key and a webhook with the address with the Partner Management API.',
    'The secret is the signing key, as text. Klarna shows it once.',
  ],
  retries: 'six times, after 10 seconds, 2 and 15 minutes, and 3, 6 and 12 hours',
  traps: ['`klarna-signing-key-id` is not signed: the provider tries each configured key.'],
}
