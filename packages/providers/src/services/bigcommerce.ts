import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** BigCommerce: webhooks of an app. */
export const bigcommerce = defineService({
  name: 'bigcommerce',
  createsSecret: true,
  signature: standardWebhooks({ secretEncoding: 'utf8' }),
  kind: 'scope',
  id: { header: 'webhook-id' },
  subject: ['data.type', 'data.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'BigCommerce',
  docs: 'https://developer.bigcommerce.com/docs/integrations/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/bigcommerce/docs/blob/main/docs/integrations/webhooks/https-webhook-overview.mdx',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Create webhooks with the address with the Webhooks API.',
    'The secret is the client secret of the app, as text.',
  ],
  retries: '11 times within 48 hours; BigCommerce then deactivates the webhook',
  traps: ['The payload has only the id of the entity: read the entity with the API.'],
}
