import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Razorpay: webhooks of an account. */
export const razorpay = defineService({
  name: 'razorpay',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-razorpay-signature' }),
  kind: 'event',
  subject: (event) => readEntity(event),
  time: 'created_at',
})

/** The payload has one entity for each name in `contains`; the first is the subject. */
function readEntity(event: unknown): string | undefined {
  const { contains, payload } = Object(event) as {
    contains?: readonly string[]
    payload?: Readonly<Record<string, { entity?: { id?: string } }>>
  }
  return payload?.[contains?.[0] ?? '']?.entity?.id
}

export const facts: ServiceFacts = {
  title: 'Razorpay',
  docs: 'https://razorpay.com/docs/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://razorpay.com/docs/webhooks/best-practices', 'https://razorpay.com/docs/webhooks/faqs/'],
  setup: ['Open Account & Settings, Webhooks, and add a webhook with the address.', 'Choose a secret there.'],
  retries: 'for 24 hours with growing delays; Razorpay then disables the webhook',
  traps: [
    '`x-razorpay-event-id` is not signed: the id is the hash of the body, which retries repeat.',
    'After a change of the secret, a retry of an earlier event has a signature of the old one: configure both.',
  ],
}
