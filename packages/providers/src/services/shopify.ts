import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { readPath } from '../agreement.ts'
import { shopifySignature } from '../shopify-signature.ts'
import { topics } from '../shopify-topic-names.ts'
import { agreesWithTopic, isEvent } from '../shopify-topics.ts'

/** Shopify: webhooks of apps and of the admin, and events of apps. */
export const shopify = defineService({
  name: 'shopify',
  createsSecret: true,
  signature: shopifySignature,
  kind: (event, { headers }) =>
    isEvent(event)
      ? `${String(readPath(event, 'topic'))}/${String(readPath(event, 'action'))}`
      : headers.get('x-shopify-topic'),
  distinct: true,
  deliveryId: { header: 'x-shopify-webhook-id' },
  subject: [{ header: 'x-shopify-shop-domain' }, 'id', { header: 'x-shopify-resource-id' }],
  time: 'updated_at',
  names: topics,
  agrees: (delivery) => isEvent(delivery.payload) || agreesWithTopic(delivery),
})

export const facts: ServiceFacts = {
  title: 'Shopify',
  docs: 'https://shopify.dev/docs/apps/build/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://shopify.dev/docs/apps/build/webhooks/delivery-structure',
    'https://shopify.dev/docs/apps/build/webhooks/verify-deliveries',
    'https://shopify.dev/docs/apps/build/webhooks/ignore-duplicates',
    'https://shopify.dev/docs/apps/build/events/delivery-structure',
    'https://shopify.dev/docs/apps/build/events/verify-deliveries',
    'https://shopify.dev/changelog/updates-to-webhook-retry-mechanism',
    'https://github.com/Shopify/shopify-app-js/blob/main/packages/apps/shopify-api/lib/webhooks/validate.ts',
  ],
  setup: [
    'Subscribe to topics in `shopify.app.toml` or with the Admin API, or open Settings, Notifications, Webhooks of the shop.',
    'The secret is the client secret of the app. Webhooks of the shop show another secret below their list.',
  ],
  retries: 'eight times within 4 hours',
  traps: [
    'The topic and the shop are in headers that are not signed. The topic must agree with the signed body: an order has the kind `unknown` under `app/uninstalled` and `customers/redact`.',
    'A captured delivery can still become an event of a topic whose bodies have the same form, such as `orders/paid` for `orders/create`, or of another shop. Set `only` of an endpoint to one topic, and read the entity with the API before you act on it.',
    'A subscription with `include_fields` needs another member beside `id`, and `myshopify_domain` for `app/uninstalled`.',
    'Two changes can have equal bodies, such as two deletions of an id, two changes within a second, or a shop that uninstalls an app twice: `x-shopify-webhook-id`, which a retry repeats, tells them apart. It is not signed: a captured delivery under an invented id is a new event. `x-shopify-event-id` is equal for all deliveries of one action.',
    'An event of the next generation, with `shopify-hmac-sha256`, has its topic and action in the signed body: its kind is `Product.update`, and not `products.update`.',
    'While a client secret is rotated, Shopify signs with the old secret for up to an hour, or until it is revoked: configure both.',
  ],
}
