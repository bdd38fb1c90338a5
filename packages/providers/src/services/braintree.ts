import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { braintreeSignature, decodePayload, readElement, readPayload } from '../braintree-notification.ts'

/** Braintree: webhooks of a gateway. */
export const braintree = defineService({
  name: 'braintree',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha1',
    encoding: 'hex',
    header: braintreeSignature,
    key: async (secret) =>
      new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(secret))),
    content: [({ body }) => [readPayload(body)], ({ body }) => [readPayload(body), '\n']],
    // The rest of the form is not signed.
    identity: ([payload = '']) => [payload],
  }),
  parse: (body) => decodePayload(body),
  kind: (event) => readElement(event, 'kind'),
  subject: (event) => readElement(event, 'id'),
  time: (event) => readElement(event, 'timestamp'),
})

export const facts: ServiceFacts = {
  title: 'Braintree',
  docs: 'https://developer.paypal.com/braintree/docs/guides/webhooks/overview',
  checked: '2026-11',
  sources: [
    'https://github.com/braintree/braintree_node/blob/master/lib/braintree/webhook_notification_gateway.js',
    'https://developer.paypal.com/braintree/docs/guides/webhooks/parse/node/',
    'https://developer.paypal.com/braintree/docs/guides/webhooks/overview',
  ],
  confidence: 'primary',
  setup: [
    'Open Settings, API, Webhooks in the control panel, and create a webhook with the address.',
    'The secret is the private key of the gateway.',
  ],
  retries: 'every hour for up to 24 hours in production',
  traps: ['The event is the XML of the notification as text.', 'The signature is part of the form.'],
}
