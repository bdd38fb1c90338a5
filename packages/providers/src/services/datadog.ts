import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Datadog: webhooks of the integration. */
export const datadog = defineService({
  name: 'datadog',
  signature: sharedToken({ header: 'x-webhook-token' }),
  kind: 'event_type',
  id: 'id',
  subject: ['org.id', 'title'],
  time: 'date',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Datadog',
  docs: 'https://docs.datadoghq.com/integrations/webhooks/',
  confidence: 'primary',
  setup: [
    'Open Integrations, Webhooks, and add a webhook with the address and the default payload.',
    'Enter `{"X-Webhook-Token": "<secret>"}` as the custom headers, with a random text as the secret.',
    'Mention the webhook as `@webhook-<name>` in monitors.',
  ],
  traps: [
    'The token says nothing about the body.',
    'With a custom payload, keep `event_type`, `id` and `date`.',
  ],
}
