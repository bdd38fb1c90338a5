import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Whop: webhooks of a company. */
export const whop = defineService({
  name: 'whop',
  signature: standardWebhooks({ secretEncoding: 'utf8' }),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: 'data.id',
  time: 'timestamp',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Whop',
  docs: 'https://docs.whop.com/developer/guides/webhooks',
  confidence: 'primary',
  setup: [
    'Open Developer, Webhooks, and create a webhook with the address.',
    'The secret is the secret of the webhook, with its prefix `ws_`, as text.',
  ],
}
