import { bodyToken, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Aircall: webhooks of a company. */
export const aircall = defineService({
  name: 'aircall',
  createsSecret: true,
  signature: bodyToken('token'),
  kind: 'event',
  subject: ['resource', 'data.id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Aircall',
  docs: 'https://developer.aircall.io/api-references/#webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developer.aircall.io/docs/webhooks',
    'https://developer.aircall.io/tutorials/webhooks-guide',
  ],
  setup: [
    'Open Integrations and API, Webhooks, and add a webhook with the address.',
    'The secret is the token of the webhook.',
  ],
  retries: 'unknown',
  traps: ['The token says nothing about the body. Events do not contain the token.'],
}
