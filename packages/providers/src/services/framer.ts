import { defineService, hmac, signedId, type ServiceFacts } from '@sallyport/webhooks'

/** Framer: webhooks of forms. */
export const framer = defineService({
  name: 'framer',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'framer-signature',
    prefix: 'sha256=',
    id: signedId({ header: 'framer-webhook-submission-id' }),
    content: ({ id, body }) => [body, id],
  }),
  kind: () => 'form.submitted',
  id: { header: 'framer-webhook-submission-id' },
})

export const facts: ServiceFacts = {
  title: 'Framer (forms)',
  docs: 'https://www.framer.com/developers/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://www.framer.com/help/articles/framer-form-webhook-setup'],
  identity: 'https://www.framer.com/developers/webhooks',
  setup: [
    'Open the form, Send to, Webhook, and enter the address and a secret.',
    'The secret is the one that you chose.',
  ],
  retries: 'up to five attempts',
  traps: ['The payload has the fields of the form only: the kind is always `form.submitted`.'],
}
