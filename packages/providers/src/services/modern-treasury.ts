import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Modern Treasury: webhooks of an organization. */
export const modernTreasury = defineService({
  name: 'modern-treasury',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  kind: ['data.object', 'event'],
  id: ['data.id', 'data.updated_at'],
  subject: ['data.object', 'data.id'],
  time: 'data.updated_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Modern Treasury',
  docs: 'https://docs.moderntreasury.com/platform/docs/webhooks',
  confidence: 'primary',
  setup: [
    'Open Developers, Webhooks, and add an endpoint with the address.',
    'The secret is the webhook key in Developers, Settings.',
  ],
}
