import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** dLocal: notifications of the Payments API. */
export const dlocal = defineService({
  name: 'dlocal',
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
  id: ['id', 'status_code'],
  subject: ['order_id', 'id'],
  time: (event) => {
    const { approved_date, created_date } = Object(event) as Readonly<Record<string, unknown>>
    return approved_date ?? created_date
  },
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'dLocal',
  docs: 'https://docs.dlocal.com/docs/notifications',
  confidence: 'secondary',
  setup: [
    'Send the address as `notification_url` of each payment.',
    'The secret is the secret key of the account.',
  ],
  traps: [
    'dLocal Go signs in another form: the provider refuses its notifications.',
    'The provider does not check the age of the signed time.',
  ],
}
