import { defineService, hash, jsonField, jsonSignature, type ServiceFacts } from '@sallyport/webhooks'

/** Midtrans: payment notifications. */
export const midtrans = defineService({
  name: 'midtrans',
  signature: hash({
    algorithm: 'sha512',
    encoding: 'hex',
    header: jsonSignature('signature_key'),
    content: ({ body, secret }) => [
      ...['order_id', 'status_code', 'gross_amount'].map((name) => jsonField(body, name)),
      secret,
    ],
    covers: ['order_id', 'status_code', 'gross_amount'],
  }),
  kind: 'transaction_status',
  subject: 'order_id',
  time: (event) => {
    const { transaction_time } = Object(event) as { transaction_time?: string }
    return transaction_time && `${transaction_time.replace(' ', 'T')}+07:00`
  },
})

export const facts: ServiceFacts = {
  title: 'Midtrans',
  docs: 'https://docs.midtrans.com/docs/https-notification-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.midtrans.com/reference/best-practices-to-handle-notification',
    'https://docs.midtrans.com/reference/handle-notifications',
    'https://github.com/Midtrans/technical-documentation-site/blob/master/en/after-payment/http-notification.md',
  ],
  setup: [
    'Open Settings, Payment, Notification URL, and enter the address.',
    'The secret is the server key of the merchant.',
  ],
  retries:
    'up to five times within about 6 hours: four times after 503, twice after 400 and 404, once after 500',
  covers: 'the order, the amount and the status code, not the status of the transaction',
  traps: [
    '`transaction_status` and `fraud_status` are not signed: read the transaction again with the API.',
    'A copy of a notification with other unsigned members is a new event: count a transaction once by its id and status.',
    'Notifications of pay accounts sign other members: the provider refuses them.',
    'The times are in UTC+7.',
  ],
}
