import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Modern Treasury: webhooks of an organization. */
export const modernTreasury = defineService({
  name: 'modern-treasury',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  kind: ['data.object', 'event'],
  subject: ['data.object', 'data.id'],
  time: 'data.updated_at',
})

export const facts: ServiceFacts = {
  title: 'Modern Treasury',
  docs: 'https://docs.moderntreasury.com/platform/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.moderntreasury.com/platform/reference/webhooks',
    'https://www.moderntreasury.com/journal/webhook-idempotency',
    'https://docs.moderntreasury.com/platform/docs/webhook-endpoint-best-practices',
  ],
  setup: [
    'Open Developers, Webhooks, and add an endpoint with the address.',
    'The secret is the webhook key in Developers, Settings.',
  ],
  retries: 'with growing delays',
  traps: ['`x-webhook-id` is not signed: the id is the hash of the body.'],
}
