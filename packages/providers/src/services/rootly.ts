import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Rootly: outgoing webhooks of a team. */
export const rootly = defineService({
  name: 'rootly',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-rootly-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, body],
  }),
  kind: 'event.type',
  subject: 'data.id',
  time: 'event.issued_at',
})

export const facts: ServiceFacts = {
  title: 'Rootly',
  docs: 'https://docs.rootly.com/configuration/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.rootly.com/configuration/webhooks.md',
    'https://docs.rootly.com/configuration/webhooks',
  ],
  setup: [
    'Open Settings, Webhooks, and create a webhook with the address.',
    'The secret is the signing secret, which Rootly shows once.',
  ],
  retries: 'unknown',
  traps: [
    'The time and the body are signed without a separator: the body begins with `{`, so that no digit can move.',
    'A new secret invalidates the old one at once.',
  ],
}
