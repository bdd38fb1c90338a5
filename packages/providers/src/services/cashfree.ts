import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Cashfree Payments: webhooks. */
export const cashfree = defineService({
  name: 'cashfree',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-webhook-signature',
    timestamp: signedTime({ header: 'x-webhook-timestamp', unit: 'ms' }),
    content: ({ timestamp, body }) => [timestamp, body],
  }),
  kind: (event) => {
    const { type, event_type } = Object(event) as Readonly<Record<string, unknown>>
    return type ?? event_type
  },
  subject: ['data.order.order_id', 'data.refund.order_id', 'data.payment.cf_payment_id'],
  time: 'event_time',
})

export const facts: ServiceFacts = {
  title: 'Cashfree Payments',
  docs: 'https://www.cashfree.com/docs/api-reference/payments/latest/payments/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://www.cashfree.com/docs/api-reference/payments/latest/webhooks/overview',
    'https://www.cashfree.com/docs/api-reference/webhooks/reliability-and-operations',
    'https://www.cashfree.com/docs/api-reference/prepaid-payment-instruments/wallet-management/webhook-wallet',
  ],
  setup: [
    'Open Developers, Webhooks, and add a webhook with the address and the newest version.',
    'The secret is the client secret.',
  ],
  retries: 'three times, after 2, 10 and 30 minutes, unless the endpoint has another policy',
  traps: [
    'The payload has no id of the event: the id is the hash of the body.',
    'Webhooks of wallets have `event_type` instead of `type`.',
  ],
}
