import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Wistia: webhooks of an account. */
export const wistia = defineService({
  name: 'wistia',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-wistia-signature' }),
  events: 'events.*',
  kind: 'type',
  id: 'uuid',
  subject: 'payload.media.id',
  time: 'generated_at',
})

export const facts: ServiceFacts = {
  title: 'Wistia',
  docs: 'https://docs.wistia.com/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.wistia.com/docs/webhooks',
    'https://asyncapi.apis.io/asyncapis/wistia/wistia-asyncapi/',
  ],
  identity: 'https://asyncapi.apis.io/asyncapis/wistia/wistia-asyncapi/',
  setup: [
    'Open Account, Settings, Webhooks, and add a webhook with the address.',
    'The secret is the secret key of the webhook.',
  ],
  retries: 'unknown',
}
