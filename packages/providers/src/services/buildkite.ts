import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Buildkite: webhooks of organizations. */
export const buildkite = defineService({
  name: 'buildkite',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-buildkite-signature', { timestamp: 'timestamp', signature: 'signature' }),
    timestamp: signedTime(),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event',
  distinct: true,
  subject: ['build.id', 'job.id', 'agent.id'],
})

export const facts: ServiceFacts = {
  title: 'Buildkite',
  docs: 'https://buildkite.com/docs/apis/webhooks/pipelines',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://buildkite.com/docs/apis/webhooks/pipelines',
    'https://buildkite.com/docs/apis/webhooks/package_registries',
  ],
  setup: [
    'Open the settings of the organization, Notification Services, and add a webhook with the address.',
    'Select "Send an HMAC signature". The secret is the token of the webhook.',
  ],
  retries: 'unknown',
  traps: [
    'With "Send the token", Buildkite does not sign, and this provider refuses the delivery.',
    'A build that runs again can have the body of its first run: each delivery is a new event.',
  ],
}
