import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Clerk: webhooks of instances. */
export const clerk = defineService({
  name: 'clerk',
  createsSecret: true,
  signature: standardWebhooks({ prefix: 'svix' }),
  kind: 'type',
  id: { header: 'svix-id' },
  subject: 'data.id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Clerk',
  docs: 'https://clerk.com/docs/guides/development/webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://clerk.com/docs/guides/development/webhooks/overview',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Open Configure, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'eight attempts in about 28 hours',
  traps: ['The body has no id of the event: `data.id` is the id of the entity.'],
}
