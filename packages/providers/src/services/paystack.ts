import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Paystack: webhooks of an account. */
export const paystack = defineService({
  name: 'paystack',
  signature: hmac({ algorithm: 'sha512', encoding: 'hex', header: 'x-paystack-signature' }),
  kind: 'event',
  subject: 'data.id',
  time: (event) => {
    const { data } = Object(event) as { data?: { paid_at?: string; created_at?: string } }
    return data?.paid_at ?? data?.created_at
  },
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Paystack',
  docs: 'https://paystack.com/docs/payments/webhooks/',
  confidence: 'primary',
  setup: [
    'Open Settings, API Keys & Webhooks, and enter the address as webhook URL.',
    'The secret is the secret key of the account, such as `sk_live_…`.',
  ],
  retries: 'every 3 minutes for four attempts, then every hour for 72 hours',
  traps: ['The payload has no id of the event: the id is the hash of the body.'],
}
