import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Quo, formerly OpenPhone: webhooks of the API version 2026-03-30. */
export const quo = defineService({
  name: 'quo',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: 'data.resource.id',
  time: 'createdAt',
})

export const facts: ServiceFacts = {
  title: 'Quo',
  docs: 'https://www.quo.com/docs/2026-03-30/webhooks-overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://www.quo.com/docs/2026-03-30/webhooks-overview',
    'https://www.quo.com/docs/mdx/beta/webhooks-quickstart',
    'https://www.quo.com/docs/mdx/beta/webhooks-differences-from-current',
  ],
  identity: 'https://www.quo.com/docs/mdx/beta/webhooks-quickstart',
  setup: [
    'Create a webhook with the address with `POST /webhooks` of the API, with the header `Quo-Api-Version: 2026-03-30`.',
    'The secret is `key` in the answer, with its prefix `whsec_`.',
  ],
  retries: 'unknown',
  traps: [
    'Webhooks from the app and from the older API have `openphone-signature`, and are refused.',
    'Two webhooks at one address send each event twice, with equal `id` and different `webhook-id`: both are events.',
  ],
}
