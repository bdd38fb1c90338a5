import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Workable: webhook subscriptions. */
export const workable = defineService({
  name: 'workable',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-workable-signature' }),
  kind: 'event_type',
  subject: ['resource_type', 'data.id'],
  time: 'fired_at',
})

export const facts: ServiceFacts = {
  title: 'Workable',
  docs: 'https://workable.readme.io/reference/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://workable.readme.io/reference/webhook-subscriptions-candidates-employees'],
  setup: [
    'Create a subscription with the address with the API.',
    'The secret is the API token that creates the subscription.',
  ],
  retries: 'unknown',
  traps: [
    'The payload has the state at the time of the request: a repeated delivery of a changed candidate is another event.',
  ],
}
