import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Stripe: snapshot events and thin events. */
export const stripe = defineService({
  name: 'stripe',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('stripe-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
  id: 'id',
  subject: (event) => {
    const { data, related_object } = Object(event) as { data?: { object?: Entity }; related_object?: Entity }
    return data?.object?.id ?? related_object?.id
  },
  time: 'created',
})

interface Entity {
  readonly id?: string
}

export const facts: ServiceFacts = {
  title: 'Stripe',
  docs: 'https://docs.stripe.com/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.stripe.com/webhooks',
    'https://docs.stripe.com/events/how-events-work',
    'https://docs.stripe.com/webhooks/migrate-snapshot-to-thin-events',
    'https://github.com/stripe/stripe-node/blob/master/src/Webhooks.ts',
  ],
  identity: 'https://docs.stripe.com/webhooks',
  setup: [
    'Open Workbench, Webhooks, and add an event destination with the address.',
    'The secret is the signing secret of the destination, with its prefix `whsec_`.',
  ],
  retries: 'for up to three days with growing delays; the order is not preserved',
  traps: [
    'Events of one API call share `request.idempotency_key`, which is not an id of an event.',
    'During a migration, Stripe sends a change as a snapshot event and as a thin event, such as `customer.created` and `v1.customer.created`, with different ids: handle one of them, or compare the id of the snapshot with `snapshot_event` of the thin event.',
    'A thin event has no object: fetch `related_object.url`.',
  ],
}
