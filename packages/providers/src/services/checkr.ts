import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Checkr: webhooks of an account. */
export const checkr = defineService({
  name: 'checkr',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-checkr-signature' }),
  kind: 'type',
  subject: ['data.object.object', 'data.object.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Checkr',
  docs: 'https://docs.checkr.com/apis/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://docs.checkr.com/apis/webhooks', 'https://docs.checkr.com/partners/webhooks'],
  setup: [
    'Open Account Settings, Developer Settings, and add a webhook with the address.',
    'The secret is the secret API key of the account.',
  ],
  retries: 'unknown',
  traps: ['Checkr removes an address that accepts no delivery for 60 days.'],
}
