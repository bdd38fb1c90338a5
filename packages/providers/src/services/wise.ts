import { defineService, rsa, type ServiceFacts } from '@sallyport/webhooks'

/** Wise: webhook subscriptions. */
export const wise = defineService({
  name: 'wise',
  signature: rsa({ header: 'x-signature-sha256', encoding: 'base64' }),
  kind: 'event_type',
  ignore: ['sent_at'],
  subject: ['data.resource.type', 'data.resource.id'],
  time: 'data.occurred_at',
})

export const facts: ServiceFacts = {
  title: 'Wise',
  docs: 'https://docs.wise.com/guides/developer/webhooks/event-handling',
  checked: '2026-11',
  sources: [
    'https://docs.wise.com/guides/developer/webhooks/event-handling',
    'https://docs.wise.com/webhooks-notifications',
    'https://docs.wise.com/guides/developer/webhooks/view-retry-events',
  ],
  confidence: 'primary',
  setup: [
    'Create a subscription with the address in Settings, Developer tools, Webhooks, or with the API.',
    'The secret is the public key of Wise in PEM. Production and sandbox have different keys, which the documentation lists.',
  ],
  retries: '25 times within 2 weeks; `Retry-After` is respected',
  traps: [
    '`sent_at` changes between attempts: the id is the hash of the other members.',
    '`x-delivery-id` is not signed.',
    'The URL has no query and no port.',
  ],
}
