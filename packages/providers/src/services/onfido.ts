import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Onfido (Entrust): webhooks of an account. */
export const onfido = defineService({
  name: 'onfido',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-sha2-signature' }),
  kind: 'payload.action',
  subject: ['payload.resource_type', 'payload.object.id'],
  time: (event) => readTime(event),
  distinct: (event) => readTime(event) === undefined,
})

interface Event {
  readonly payload?: { readonly object?: Partial<Readonly<Record<`${string}_at_iso8601`, unknown>>> }
}

const readTime = (event: unknown): unknown => {
  const { completed_at_iso8601, started_at_iso8601 } = (Object(event) as Event).payload?.object ?? {}
  return completed_at_iso8601 ?? started_at_iso8601
}

export const facts: ServiceFacts = {
  title: 'Onfido',
  docs: 'https://documentation.onfido.com/api/latest/#webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/onfido/onfido-node/blob/master/webhook-event-verifier.ts',
    'https://documentation.onfido.com/api/latest/#webhooks',
  ],
  setup: [
    'Open Developers, Webhooks, and create a webhook with the address.',
    'The secret is the token of the webhook.',
  ],
  retries: 'unknown',
  traps: [
    'The payload has no id of the event: the id is the hash of the body. A payload without a time is a new event on each delivery.',
  ],
}
