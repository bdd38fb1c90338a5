import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Onfido (Entrust): webhooks of an account. */
export const onfido = defineService({
  name: 'onfido',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-sha2-signature' }),
  kind: 'payload.action',
  subject: ['payload.resource_type', 'payload.object.id'],
  time: 'payload.object.completed_at_iso8601',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Onfido',
  docs: 'https://documentation.onfido.com/api/latest/#webhooks',
  confidence: 'primary',
  setup: [
    'Open Developers, Webhooks, and create a webhook with the address.',
    'The secret is the token of the webhook.',
  ],
  traps: ['The payload has no id of the event: the id is the hash of the body.'],
}
