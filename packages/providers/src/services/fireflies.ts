import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Fireflies.ai: webhooks of version 2. */
export const fireflies = defineService({
  name: 'fireflies',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature', prefix: 'sha256=' }),
  kind: 'event',
  subject: 'meeting_id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Fireflies.ai',
  docs: 'https://docs.fireflies.ai/graphql-api/webhooks-v2',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.fireflies.ai/graphql-api/webhooks-v2'],
  setup: [
    'Open Settings, Developer settings, Webhooks V2, and enter the address, a signing secret and the events.',
    'The secret is this signing secret. Fireflies.ai signs nothing without it.',
  ],
  retries: 'unknown',
  traps: [
    'The payload has only the id of the meeting: read the transcript with the API.',
    'Webhooks of version 1 have no `event`: their kind is `unknown`.',
  ],
}
