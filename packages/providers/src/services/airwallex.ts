import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Airwallex: webhooks of an account. */
export const airwallex = defineService({
  name: 'airwallex',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-signature',
    timestamp: signedTime({ header: 'x-timestamp', unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, body],
  }),
  kind: 'name',
  id: 'id',
  subject: 'data.object.id',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Airwallex',
  docs: 'https://www.airwallex.com/docs/developer-tools/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://www.airwallex.com/docs/developer-tools/webhooks/webhooks-overview',
    'https://www.airwallex.com/docs/developer-tools/webhooks/listen-for-webhook-events',
    'https://airwallex.com/docs/developer-tools__listen-for-webhook-events__payload-examples',
    'https://airwallex.com/docs/developer-tools__test-webhook-event-payloads',
  ],
  identity: 'https://airwallex.com/docs/developer-tools__listen-for-webhook-events__payload-examples',
  setup: [
    'Open Settings, Developer, Webhooks, and add a webhook with the address.',
    'The secret is the secret of the webhook.',
  ],
  retries: 'with growing delays for about 3 days, until the status is 200',
  traps: [
    'Test events are signed with the key in their header `client-secret-key`: the provider refuses them.',
  ],
}
