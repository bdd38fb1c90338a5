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
  subject: 'form_response.form_id',
  time: 'form_response.submitted_at',
})

export const facts: ServiceFacts = {
  title: 'Typeform',
  docs: 'https://www.typeform.com/developers/webhooks/secure-your-webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://typeform.com/developers/webhooks'],
  setup: [
    'Open Connect, Webhooks of the form and add the address.',
    'Edit the webhook and enter a random text as the secret. Typeform signs nothing without a secret.',
  ],
  retries:
    'every two to three minutes for ten hours after a status of 408, 423, 429 or 503, and with growing delays after other ones; a status of 404 or 410 disables the webhook',
  traps: ['A partial response (`form_response_partial`) has the same token as the complete response.'],
}
