import { defineService, hexSecret, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Squarespace: webhook subscriptions of an extension. */
export const squarespace = defineService({
  name: 'squarespace',
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

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Squarespace',
  docs: 'https://developers.squarespace.com/webhooks/overview',
  confidence: 'primary',
  setup: [
    'Create a webhook subscription with the address with the Webhook Subscriptions API.',
    'The secret is the secret of the subscription, in hexadecimal.',
  ],
  traps: ['A rotation makes the old secret invalid at once.'],
}
