import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Tally: webhooks of a form. */
export const tally = defineService({
  name: 'tally',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'tally-signature' }),
  kind: 'eventType',
  id: 'eventId',
  subject: ['data.formId', 'data.responseId'],
  time: 'createdAt',
})

export const facts: ServiceFacts = {
  title: 'Tally',
  docs: 'https://tally.so/help/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.tally.so/api-reference/endpoint/webhooks/events/retry',
    'https://tally.so/help/webhooks',
  ],
  identity: 'https://developers.tally.so/api-reference/endpoint/webhooks/events/retry',
  setup: [
    'Open the form, Integrations, Webhooks, and connect the address.',
    'The secret is the signing secret of the webhook.',
  ],
  retries: 'after 5 minutes, 30 minutes, 1 hour, 6 hours and 24 hours; the timeout is ten seconds',
}
