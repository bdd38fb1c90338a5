import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Firecrawl: webhooks of jobs. */
export const firecrawl = defineService({
  name: 'firecrawl',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-firecrawl-signature',
    prefix: 'sha256=',
  }),
  kind: 'type',
  id: 'webhookId',
  subject: 'id',
})

export const facts: ServiceFacts = {
  title: 'Firecrawl',
  docs: 'https://docs.firecrawl.dev/webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.firecrawl.dev/webhooks/security.md',
    'https://docs.firecrawl.dev/zh/api-reference/endpoint/webhook-crawl-started',
    'https://docs.firecrawl.dev/es/webhooks/overview',
    'https://trigger.dev/docs/webhooks/providers/firecrawl.md',
  ],
  identity: 'https://docs.firecrawl.dev/zh/api-reference/endpoint/webhook-crawl-started',
  setup: [
    'Send the address as `webhook.url` with a crawl, a batch scrape, an extraction or an agent.',
    'The secret is the webhook secret in the settings of the account, Advanced. An account has one secret.',
  ],
  retries: 'three times: after 1, 5 and 15 minutes',
  traps: [
    '`id` is the id of the job, which all its events have. `webhookId` identifies a delivery and its attempts.',
    'Firecrawl signs only for an account with a secret.',
  ],
}
