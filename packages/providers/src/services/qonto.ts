import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Qonto: webhooks of the Business API. */
export const qonto = defineService({
  name: 'qonto',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-qonto-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
  subject: 'data.id',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Qonto',
  docs: 'https://docs.qonto.com/api-reference/business-api/webhooks/setup',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.qonto.com/api-reference/business-api/webhooks/setup',
    'https://docs.qonto.com/api-reference/business-api/webhooks/troubleshooting',
  ],
  setup: [
    'Create a webhook subscription with the address with the Business API.',
    'The secret is the secret of the subscription.',
  ],
  retries: 'with growing delays for a few days',
  traps: ['Qonto waits one second for the response.'],
}
