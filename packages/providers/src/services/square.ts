import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Square: webhook subscriptions of an application. */
export const square = defineService({
  name: 'square',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-square-hmacsha256-signature',
    content: ({ url, body }) => [url, body],
  }),
  kind: 'type',
  id: 'event_id',
  subject: ['data.type', 'data.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Square',
  docs: 'https://developer.squareup.com/docs/webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.squareup.com/docs/webhooks/overview',
    'https://developer.squareup.com/docs/webhooks/step4manage',
    'https://github.com/square/square-nodejs-sdk/blob/master/src/api/types/PaymentUpdatedEvent.ts',
  ],
  identity: 'https://developer.squareup.com/docs/webhooks/step4manage',
  setup: [
    'Open the Developer Console, the application, Webhooks, Subscriptions, and add a subscription with the address.',
    'The secret is the signature key of the subscription.',
    'Set the public address of the server exactly as it is registered: Square signs it.',
  ],
  retries: 'for up to 24 hours with growing delays; disabled after three weeks of failures',
}
