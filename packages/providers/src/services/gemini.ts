import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Google Gemini API: static webhooks of a project. */
export const gemini = defineService({
  name: 'gemini',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: 'data.id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Google Gemini API',
  docs: 'https://ai.google.dev/gemini-api/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://ai.google.dev/gemini-api/docs/webhooks?hl=de',
    'https://github.com/hookdeck/webhook-skills/tree/main/skills/gemini-webhooks',
  ],
  identity: 'https://ai.google.dev/gemini-api/docs/webhooks?hl=de',
  setup: [
    'Create a webhook with the address with `client.webhooks.create` of the SDK, or with the REST API.',
    'The secret is the signing secret, with its prefix `whsec_`. The API returns it once.',
    'Rotate the secret with `REVOKE_PREVIOUS_SECRETS_AFTER_H24`: for 24 hours, a delivery has a signature of each secret.',
  ],
  retries: 'for 24 hours with growing delays',
  traps: [
    'Dynamic webhooks, which a request names in `webhook_config`, have a token of Google in place of the signature, and are refused: Google does not say that the token covers the body.',
    'The body has ids and addresses of results, but not the results.',
  ],
}
