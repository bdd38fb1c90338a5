import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Paystack: webhooks of an account. */
export const paystack = defineService({
  name: 'paystack',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha512', encoding: 'hex', header: 'x-paystack-signature' }),
  kind: 'event',
  subject: 'data.id',
  time: ['data.paid_at', 'data.created_at', 'data.createdAt'],
  distinct: (payload) => canRepeat(payload),
})

/** Reports whether two changes can have equal bodies: reminders of a dispute, and events without a time. */
function canRepeat(payload: unknown): boolean {
  const { event, data } = Object(payload) as Readonly<Record<string, unknown>>
  const { created_at, createdAt } = Object(data) as Readonly<Record<string, unknown>>
  return event === 'charge.dispute.remind' || (created_at ?? createdAt) === undefined
}

export const facts: ServiceFacts = {
  title: 'Paystack',
  docs: 'https://paystack.com/docs/payments/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://paystack.com/docs/payments/webhooks/',
    'https://github.com/PaystackOSS/doc-code-snippets/tree/main/src/doc/payments/webhooks',
  ],
  setup: [
    'Open Settings, API Keys & Webhooks, and enter the address as webhook URL.',
    'The secret is the secret key of the account, such as `sk_live_…`.',
  ],
  retries: 'every 3 minutes for four attempts, then every hour for 72 hours',
  traps: [
    'The payload has no id of the event: the id is the hash of the body.',
    'Reminders of a dispute and events without a time, such as `customeridentification.failed`, have equal bodies for different changes: each attempt is a new event.',
  ],
}
