import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { topics } from '../shopify-topic-names.ts'
import { agreesWithTopic } from '../shopify-topics.ts'

/** Shopify: webhooks of apps and of the admin. */
export const shopify = defineService({
  name: 'shopify',
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-shopify-hmac-sha256' }),
  kind: { header: 'x-shopify-topic' },
  id: ['id', 'updated_at'],
  subject: [{ header: 'x-shopify-shop-domain' }, 'id'],
  time: 'updated_at',
  names: topics,
  agrees: agreesWithTopic,
})

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
    'The topic and the shop are in headers that are not signed. The topic must agree with the signed body: an order is quarantined under `app/uninstalled` and `customers/redact`.',
    'A captured delivery can still become an event of a topic whose bodies have the same form, such as `orders/paid` for `orders/create`, or of another shop. Set `only` of an endpoint to one topic, and read the entity with the API before you act on it.',
    'A subscription with `include_fields` needs another member beside `id`, and `myshopify_domain` for `app/uninstalled`.',
    '`x-shopify-event-id` and `x-shopify-webhook-id` are not signed, and are not part of the id.',
    'While a client secret is rotated, Shopify signs with the old secret until it is revoked: configure both.',
  ],
}
