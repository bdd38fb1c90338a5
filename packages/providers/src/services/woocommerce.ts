import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** WooCommerce: webhooks of a shop. */
export const woocommerce = defineService({
  name: 'woocommerce',
  resends: false,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-wc-webhook-signature' }),
  kind: { header: 'x-wc-webhook-topic' },
  id: ['id', (event) => readTime(event) ?? 'none'],
  subject: [{ header: 'x-wc-webhook-resource' }, 'id'],
  time: (event) => readTime(event),
  handshake: fixedHandshake({ when: { headers: { 'content-type': 'application/x-www-form-urlencoded' } } }),
})

function readTime(event: unknown): string | undefined {
  const { date_modified_gmt } = Object(event) as { date_modified_gmt?: string }
  return date_modified_gmt
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'WooCommerce',
  docs: 'https://woocommerce.com/document/webhooks/',
  confidence: 'primary',
  setup: [
    'Open WooCommerce, Settings, Advanced, Webhooks, and add a webhook with the address as its delivery URL.',
    'Enter a secret there. WooCommerce signs with an empty key without one, and such deliveries are refused.',
  ],
  retries: 'never; WooCommerce disables a webhook after more than five failures in a row',
  traps: [
    'The topic is in a header that is not signed.',
    '`x-wc-webhook-delivery-id` is new for each attempt.',
    'Saving a webhook sends a form without a signature, which the provider answers with 200.',
  ],
}
