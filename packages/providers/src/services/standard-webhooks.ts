import { defineService, standardWebhooks as scheme, type ServiceFacts } from '@sallyport/webhooks'

/** Any service that follows Standard Webhooks. */
export const standardWebhooks = defineService({
  name: 'standard-webhooks',
  signature: scheme(),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: 'data.id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Standard Webhooks',
  docs: 'https://www.standardwebhooks.com/',
  checked: '2026-11',
  sources: ['https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md'],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  confidence: 'primary',
  setup: [
    'Enter the address as the webhook of the service.',
    'The secret is the signing secret, with its prefix `whsec_`, or a public key with the prefix `whpk_`.',
  ],
  retries: 'unknown',
  traps: [
    'For a service with `svix-*` headers, use `svix`. For another place of the kind, declare a provider of your own.',
  ],
}
