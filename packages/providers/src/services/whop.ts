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
  checked: '2026-11',
  sources: [
    'https://github.com/whopio/whopsdk-typescript/blob/main/src/resources/webhooks.ts',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Open Developer, Webhooks, and create a webhook with the address.',
    'The secret is the secret of the webhook, with its prefix `ws_`, as text.',
  ],
  retries: 'unknown',
}
