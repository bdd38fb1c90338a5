import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Datadog: webhooks of the integration. */
export const datadog = defineService({
  name: 'datadog',
  signature: sharedToken({ header: 'x-webhook-token' }),
  kind: 'event_type',
  subject: ['org.id', 'title'],
  time: 'date',
})

export const facts: ServiceFacts = {
  title: 'Datadog',
  docs: 'https://docs.datadoghq.com/integrations/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.datadoghq.com/integrations/webhooks/'],
  setup: [
    'Open Integrations, Webhooks, and add a webhook with the address and the default payload.',
    'Enter `{"X-Webhook-Token": "<secret>"}` as the custom headers, with a random text as the secret.',
    'Mention the webhook as `@webhook-<name>` in monitors.',
  ],
  retries: 'after a status of 5xx; five times after a failed connection',
  traps: [
    'The token says nothing about the body.',
    'With a custom payload, keep `event_type`, `id` and `date`. Leave "Encode as form" off.',
  ],
}
