import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Shopify: webhooks of apps and of the admin. */
export const shopify = defineService({
  name: 'shopify',
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-shopify-hmac-sha256' }),
  kind: { header: 'x-shopify-topic' },
  id: ['id', (event) => readTime(event) ?? 'none'],
  subject: [{ header: 'x-shopify-shop-domain' }, 'id'],
  time: (event) => readTime(event),
})

function readTime(event: unknown): string | undefined {
  const { updated_at } = Object(event) as { updated_at?: string }
  return updated_at
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Shopify',
  docs: 'https://shopify.dev/docs/apps/build/webhooks',
  confidence: 'primary',
  setup: [
    'Subscribe to topics in `shopify.app.toml` or with the Admin API, or open Settings, Notifications, Webhooks of the shop.',
    'The secret is the client secret of the app. Webhooks of the shop show another secret below their list.',
  ],
  retries: 'eight times within 4 hours',
  traps: [
    'The topic and the shop are in headers that are not signed: a captured body verifies under each topic.',
    '`x-shopify-event-id` and `x-shopify-webhook-id` are not signed, and are not part of the id.',
    'While a client secret is rotated, Shopify signs with the old secret until it is revoked: configure both.',
  ],
}
