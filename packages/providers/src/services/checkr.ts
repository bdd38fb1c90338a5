import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Checkr: webhooks of an account. */
export const checkr = defineService({
  name: 'checkr',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-checkr-signature' }),
  kind: 'type',
  subject: ['data.object.object', 'data.object.id'],
  time: 'created_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Checkr',
  docs: 'https://docs.checkr.com/#section/Webhooks',
  confidence: 'secondary',
  setup: [
    'Open Account Settings, Developer Settings, and add a webhook with the address.',
    'The secret is the secret API key of the account.',
  ],
  retries: 'unknown',
}
