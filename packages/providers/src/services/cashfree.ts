import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Cashfree Payments: webhooks. */
export const cashfree = defineService({
  name: 'cashfree',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-webhook-signature',
    timestamp: signedTime({ header: 'x-webhook-timestamp', unit: 'ms' }),
    content: ({ timestamp, body }) => [timestamp, body],
  }),
  kind: 'type',
  subject: ['data.order.order_id', 'data.refund.order_id', 'data.payment.cf_payment_id'],
  time: 'event_time',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Cashfree Payments',
  docs: 'https://www.cashfree.com/docs/api-reference/payments/latest/payments/webhooks',
  confidence: 'primary',
  setup: [
    'Open Developers, Webhooks, and add a webhook with the address and the newest version.',
    'The secret is the client secret.',
  ],
  traps: ['The payload has no id of the event: the id is the hash of the body.'],
}
