import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Render: webhooks of workspaces. */
export const render = defineService({
  name: 'render',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: 'data.serviceId',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Render',
  docs: 'https://render.com/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://render.com/docs/webhooks',
    'https://asyncapi.apis.io/asyncapis/render/render-webhooks-asyncapi/',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Open Integrations, Webhooks, and create a webhook with the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'eight attempts in about 33 hours; then Render disables the webhook',
  traps: ['The body has little more than ids: fetch the event from the API with `data.id`.'],
}
