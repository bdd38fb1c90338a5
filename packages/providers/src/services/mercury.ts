import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Mercury: webhooks of an organization. */
export const mercury = defineService({
  name: 'mercury',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('mercury-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: ['resourceType', 'operationType'],
  id: 'id',
  subject: ['resourceType', 'resourceId'],
  time: 'occurredAt',
})

export const facts: ServiceFacts = {
  title: 'Mercury',
  docs: 'https://docs.mercury.com/reference/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.mercury.com/reference/webhooks',
    'https://asyncapi.apis.io/asyncapis/mercury/mercury-webhooks-asyncapi/',
  ],
  identity: 'https://docs.mercury.com/reference/webhooks',
  setup: [
    'Create a webhook with the address with the API.',
    'The secret is in the response to `POST /webhooks`. Mercury shows it once.',
  ],
  retries: 'up to ten times within a day; a status of 400 to 499 except 429 is final',
}
