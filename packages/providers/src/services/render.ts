import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Render: webhooks of workspaces. */
export const render = defineService({
  name: 'render',
  signature: standardWebhooks(),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: 'data.serviceId',
  time: 'timestamp',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Render',
  docs: 'https://render.com/docs/webhooks',
  confidence: 'primary',
  setup: [
    'Open Integrations, Webhooks, and create a webhook with the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'eight attempts in about 33 hours; then Render disables the webhook',
  traps: ['The body has little more than ids: fetch the event from the API with `data.id`.'],
}
