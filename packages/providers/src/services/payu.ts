import { defineService, hash, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** PayU Europe: notifications of the REST API. */
export const payu = defineService({
  name: 'payu',
  signature: hash({
    algorithm: 'md5',
    encoding: 'hex',
    header: structuredHeader('openpayu-signature', { signature: 'signature', separator: ';' }),
    content: ({ body, secret }) => [body, secret],
  }),
  kind: (event) => {
    const { order, refund } = Object(event) as Readonly<Record<string, { status?: string } | undefined>>
    if (order?.status) return `order.${order.status}`
    return refund?.status && `refund.${refund.status}`
  },
  subject: ['order.extOrderId', 'order.orderId', 'extOrderId', 'orderId'],
  time: 'localReceiptDateTime',
})

export const facts: ServiceFacts = {
  title: 'PayU (Europe)',
  docs: 'https://developers.payu.com/europe/docs/webhooks/order-notifications/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developers.payu.com/europe/docs/payment-flows/lifecycle',
    'https://developers.payu.com/europe/docs/webhooks/order-notifications/',
  ],
  setup: [
    'Send the address as `notifyUrl` of each order.',
    'The secret is the second key of the point of sale.',
  ],
  retries: 'within 72 hours with growing delays, from 1 minute to 12 hours',
  traps: [
    'The signature is the MD5 of the body and the second key. The provider does not follow the algorithm that the header names.',
  ],
}
