import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Rutter: webhooks of connections. */
export const rutter = defineService({
  name: 'rutter',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-rutter-signature',
    prefix: 'sha256=',
  }),
  kind: ['type', 'code'],
  // The body has the ids of changed entities, without a time.
  distinct: true,
  subject: 'connection_id',
})

export const facts: ServiceFacts = {
  title: 'Rutter',
  docs: 'https://docs.rutter.com/implementation-guides/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://docs.rutter.com/implementation-guides/webhooks'],
  setup: [
    'Open Platforms in the dashboard, and enter the address as the webhook URL.',
    'The secret is the client secret of the environment.',
  ],
  retries: 'unknown',
  traps: [
    'Two changes of one entity can have equal bodies, so that each delivery is a new event, and so is a further attempt or a captured delivery.',
  ],
}
