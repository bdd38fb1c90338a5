import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'
import { createAgreement, hasOnly, listNames, readPath } from '../agreement.ts'

/** WooCommerce: webhooks of a shop. */
export const woocommerce = defineService({
  name: 'woocommerce',
  resends: false,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-wc-webhook-signature' }),
  kind: { header: 'x-wc-webhook-topic' },
  // A custom action and a deletion have no time. WooCommerce sends nothing twice.
  distinct: (event) => typeof readPath(event, 'date_modified_gmt') !== 'string',
  subject: [{ header: 'x-wc-webhook-resource' }, 'id'],
  time: 'date_modified_gmt',
  handshake: fixedHandshake({ when: { headers: { 'content-type': 'application/x-www-form-urlencoded' } } }),
  names: listNames({
    'coupon.': 'created updated deleted restored',
    'customer.': 'created updated deleted',
    'order.': 'created updated deleted restored',
    'product.': 'created updated deleted restored',
    'subscription.': 'created updated deleted restored switched',
  }),
  agrees: createAgreement('x-wc-webhook-topic', [
    ['line_items', /^(?:order|subscription)\.(?!deleted$)/],
    ['discount_type', /^coupon\.(?!deleted$)/],
    ['regular_price', /^product\.(?!deleted$)/],
    ['is_paying_customer', /^customer\.(?!deleted$)/],
    ['action arg', /^action\./],
    // A body of version 1 to 3 of the old API has the entity as its only member.
    [hasOnly('order'), /^order\.(?!deleted$)/],
    [hasOnly('subscription'), /^subscription\.(?!deleted$)/],
    [hasOnly('coupon'), /^coupon\.(?!deleted$)/],
    [hasOnly('product'), /^product\.(?!deleted$)/],
    [hasOnly('customer'), /^customer\.(?!deleted$)/],
    [hasOnly('id'), /\.deleted$/],
  ]),
})

export const facts: ServiceFacts = {
  title: 'WooCommerce',
  docs: 'https://woocommerce.com/document/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://woocommerce.com/document/webhooks/',
    'https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-webhook.php',
  ],
  setup: [
    'Open WooCommerce, Settings, Advanced, Webhooks, and add a webhook with the address as its delivery URL.',
    'Enter a secret there. WooCommerce signs with an empty key without one, and such deliveries are refused.',
  ],
  retries: 'never; WooCommerce disables a webhook after more than five failures in a row',
  traps: [
    'The topic is in a header that is not signed. It must agree with the signed body.',
    'A captured delivery can still become an event of a topic whose bodies have the same form: `order.updated` for `order.created`, or `order.deleted` for `product.deleted`. Set `only` of an endpoint to one topic, and read the entity with the API before you act on it.',
    '`x-wc-webhook-delivery-id` is a hash of the webhook and the second, and is not signed: it identifies nothing.',
    'A deletion and a custom action have no time: each delivery is an event.',
    'Saving a webhook sends a form without a signature, which the provider answers with 200.',
  ],
}
