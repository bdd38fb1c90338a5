import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** dLocal: notifications of the Payments API. */
export const dlocal = defineService({
  name: 'dlocal',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'authorization',
    prefix: 'V2-HMAC-SHA256, Signature: ',
    signedHeaders: ['x-login', 'x-date'],
    content: ({ headers, body }) => [
      headers.get('x-login') ?? undefined,
      headers.get('x-date') ?? undefined,
      body,
    ],
  }),
  kind: 'status',
  subject: ['order_id', 'id'],
  time: ['approved_date', 'created_date'],
})

export const facts: ServiceFacts = {
  title: 'dLocal',
  docs: 'https://docs.dlocal.com/docs/notifications',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.dlocal.com/docs/receive-notifications',
    'https://docs.dlocal.com/reference/notification-parameters-payouts',
    'https://docs.dlocal.com/reference/decode-qr-code-notifications',
  ],
  setup: [
    'Send the address as `notification_url` of each payment.',
    'The secret is the secret key of the account.',
  ],
  retries: 'hourly for 6 hours, then every 12 hours for 4 days, up to 12 times',
  traps: [
    'dLocal Go signs in another form: the provider refuses its notifications.',
    'Notifications of payouts carry the signature in a form field, and those of decoded QR codes in `signature`: the provider refuses them.',
    'The provider does not check the age of the signed time.',
  ],
}
