import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Typeform: responses to forms. */
export const typeform = defineService({
  name: 'typeform',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'typeform-signature',
    prefix: 'sha256=',
  }),
  kind: 'event_type',
  id: 'event_id',
  subject: 'form_response.form_id',
  time: 'form_response.submitted_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Typeform',
  docs: 'https://www.typeform.com/developers/webhooks/secure-your-webhooks/',
  confidence: 'primary',
  setup: [
    'Open Connect, Webhooks of the form and add the address.',
    'Edit the webhook and enter a random text as the secret. Typeform signs nothing without a secret.',
  ],
  traps: ['A partial response (`form_response_partial`) has the same token as the complete response.'],
}
