import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Whop: webhooks of a company. */
export const whop = defineService({
  name: 'whop',
  createsSecret: true,
  signature: standardWebhooks({ secretEncoding: 'utf8' }),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: 'data.id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Whop',
  docs: 'https://docs.whop.com/developer/guides/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.whop.com/developer/guides/webhooks',
    'https://github.com/whopio/whopsdk-typescript/blob/main/src/resources/webhooks.ts',
  ],
  identity: 'https://docs.whop.com/developer/guides/webhooks',
  setup: [
    'Open Developer, Webhooks, and create a webhook with the address.',
    'The secret is the secret of the webhook, with its prefix `ws_`, as text.',
  ],
  retries: 'after 10, 20 and 40 seconds',
}
