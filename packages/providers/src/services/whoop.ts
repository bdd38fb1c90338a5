import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** WHOOP: webhooks of an app. */
export const whoop = defineService({
  name: 'whoop',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-whoop-signature',
    timestamp: signedTime({ header: 'x-whoop-signature-timestamp', unit: 'ms', toleranceSeconds: 3600 }),
    content: ({ timestamp, body }) => [timestamp, body],
  }),
  kind: 'type',
  subject: ['user_id', 'id'],
})

export const facts: ServiceFacts = {
  title: 'WHOOP',
  docs: 'https://developer.whoop.com/docs/developing/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://developer.whoop.com/docs/developing/webhooks/'],
  setup: [
    'Open the Developer Dashboard, the app, Webhooks, and add the address.',
    'The secret is the client secret of the app.',
  ],
  retries: 'five times within about an hour',
  traps: ['The payload has only ids: read the data with the API.'],
}
