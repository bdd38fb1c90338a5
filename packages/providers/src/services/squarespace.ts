import { defineService, hexSecret, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Squarespace: webhook subscriptions of an extension. */
export const squarespace = defineService({
  name: 'squarespace',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'squarespace-signature',
    key: hexSecret(),
  }),
  kind: 'topic',
  id: 'id',
  subject: 'data.orderId',
  time: 'createdOn',
})

export const facts: ServiceFacts = {
  title: 'Squarespace',
  docs: 'https://developers.squarespace.com/webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.squarespace.com/webhooks/overview',
    'https://developers.squarespace.com/webhooks/notification-delivery',
  ],
  identity: 'https://developers.squarespace.com/webhooks/overview',
  setup: [
    'Create a webhook subscription with the address with the Webhook Subscriptions API.',
    'The secret is the secret of the subscription, in hexadecimal.',
  ],
  retries: 'several times for up to 48 hours',
  traps: ['A rotation makes the old secret invalid at once.'],
}
