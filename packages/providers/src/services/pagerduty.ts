import { defineService, hmac, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** PagerDuty: webhooks of version 3. */
export const pagerduty = defineService({
  name: 'pagerduty',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-pagerduty-signature', { signature: 'v1' }),
  }),
  kind: 'event.event_type',
  id: 'event.id',
  subject: 'event.data.id',
  time: 'event.occurred_at',
})

export const facts: ServiceFacts = {
  title: 'PagerDuty',
  docs: 'https://developer.pagerduty.com/docs/webhooks-overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/PagerDuty/developer-docs/blob/main/docs/webhooks/01-Overview.md',
    'https://github.com/PagerDuty/developer-docs/blob/main/docs/webhooks/02-Behavior.md',
    'https://github.com/PagerDuty/developer-docs/blob/main/docs/webhooks/04-Signatures.md',
  ],
  identity: 'https://github.com/PagerDuty/developer-docs/blob/main/docs/webhooks/01-Overview.md',
  setup: [
    'Open Integrations, Generic Webhooks (v3), and create a webhook with the address.',
    'The secret is shown once after the webhook is created.',
  ],
  retries: 'for up to 48 hours, after no answer, a status of 5xx or 429; other statuses of 4xx are final',
  traps: ['PagerDuty pauses a subscription for 24 hours after three final failures.'],
}
