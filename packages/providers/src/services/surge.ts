import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Surge: webhooks of a project. */
export const surge = defineService({
  name: 'surge',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'type',
  distinct: true,
  deliveryId: { header: 'webhook-id' },
  subject: ['account_id', 'data.id'],
})

export const facts: ServiceFacts = {
  title: 'Surge',
  docs: 'https://docs.surge.app/receiving',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.surge.app/api-reference/webhooks/signature-validation.md',
    'https://docs.surge.app/api-reference/webhooks',
    'https://docs.surge.app/resources/deprecations.md',
    'https://docs.surge.app/api-reference/webhooks/intro',
  ],
  setup: [
    'Open Webhooks of the project in the dashboard, and enter the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'up to 20 attempts with growing delays',
  traps: [
    'Two changes can have equal bodies: `webhook-id`, which is signed, tells them apart. Surge calls it the id of an attempt, so that a further attempt may be a further event.',
    'The older `surge-signature`, which Surge still sends, is ignored.',
  ],
}
