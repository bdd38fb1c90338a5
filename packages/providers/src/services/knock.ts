import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Knock: outbound webhooks. */
export const knock = defineService({
  name: 'knock',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: structuredHeader('x-knock-signature', { timestamp: 't', signature: 's' }),
    timestamp: signedTime({ unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
  subject: ['data.id', 'data.key'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Knock',
  docs: 'https://docs.knock.app/developer-tools/outbound-webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/knocklabs/docs/blob/main/content/developer-tools/outbound-webhooks/overview.mdx',
    'https://github.com/knocklabs/docs/blob/main/content/developer-tools/outbound-webhooks/event-types.mdx',
  ],
  setup: [
    'Open Developers, Webhooks, and create a webhook with the address.',
    'The secret is the signing key of the webhook.',
  ],
  retries: 'eight attempts on a status of 300 or more',
}
