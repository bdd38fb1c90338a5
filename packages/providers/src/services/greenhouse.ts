import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Greenhouse Recruiting: webhooks of an organization. */
export const greenhouse = defineService({
  name: 'greenhouse',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'signature', prefix: 'sha256 ' }),
  kind: 'action',
  distinct: true,
  deliveryId: { header: 'greenhouse-event-id' },
  subject: ['payload.application.id', 'payload.job.id', 'payload.candidate.id', 'payload.id'],
})

export const facts: ServiceFacts = {
  title: 'Greenhouse',
  docs: 'https://developers.greenhouse.io/webhooks.html',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/grnhse/greenhouse-api-docs/blob/master/source/includes/webhooks/_introduction.md',
  ],
  setup: [
    'Open Configure, Dev Center, Web Hooks, and create a webhook with the address and a secret key.',
    'The secret is the secret key that you chose.',
  ],
  retries: 'seven attempts within 15 hours',
  traps: [
    'The header has `sha256`, a space and the signature.',
    'Greenhouse sends a signed `ping` when the webhook is saved.',
    'Two changes can have equal bodies: `greenhouse-event-id` tells retries from changes. It is not signed: a captured delivery under an invented id is a new event.',
  ],
}
