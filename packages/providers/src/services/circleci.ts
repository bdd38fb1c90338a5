import { defineService, hmac, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** CircleCI: webhooks of projects. */
export const circleci = defineService({
  name: 'circleci',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('circleci-signature', { signature: 'v1' }),
  }),
  kind: 'type',
  id: 'id',
  subject: ['workflow.id', 'job.id'],
  time: 'happened_at',
})

export const facts: ServiceFacts = {
  title: 'CircleCI',
  docs: 'https://circleci.com/docs/guides/integration/outbound-webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://circleci.com/docs/guides/integration/outbound-webhooks/',
    'https://circleci.com/docs/ja/webhooks-reference',
  ],
  identity: 'https://circleci.com/docs/ja/webhooks-reference',
  setup: [
    'Open Project Settings, Webhooks, and add a webhook with the address.',
    'Enter a random text as the secret token. CircleCI signs nothing without a secret.',
  ],
  retries: 'after a status other than 2xx or a timeout; the schedule is not published',
}
