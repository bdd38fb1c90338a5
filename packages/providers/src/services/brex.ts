import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Brex: webhooks of an account. */
export const brex = defineService({
  name: 'brex',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'event_type',
  id: { header: 'webhook-id' },
  subject: ['company_id', 'transfer_id', 'user_id'],
})

export const facts: ServiceFacts = {
  title: 'Brex',
  docs: 'https://developer.brex.com/guides/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developer.brex.com/guides/webhooks',
    'https://developer.brex.com/openapi/webhooks_api/webhook-subscriptions',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Register the address with the Webhooks API.',
    'The secret is the result of `GET /v1/webhooks/secrets`.',
  ],
  retries: 'unknown',
  traps: ['During a rotation, `GET /v1/webhooks/secrets` returns two secrets: configure both.'],
}
