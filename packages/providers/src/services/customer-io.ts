import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Customer.io: reporting webhooks. */
export const customerIo = defineService({
  name: 'customer-io',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-cio-signature',
    timestamp: signedTime({ header: 'x-cio-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => ['v0:', timestamp, ':', body],
  }),
  kind: ['object_type', 'metric'],
  subject: 'data.customer_id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Customer.io',
  docs: 'https://docs.customer.io/journeys/webhooks/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://docs.customer.io/journeys/webhooks/', 'https://docs.customer.io/api/webhooks'],
  setup: [
    'Open Integrations, Reporting webhooks, and add the address and the events.',
    'The secret is the webhook signing key of the integration.',
  ],
  retries: 'with growing delays for 7 days',
}
