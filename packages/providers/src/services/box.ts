import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Box: webhooks of version 2. */
export const box = defineService({
  name: 'box',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: ['box-signature-primary', 'box-signature-secondary'],
    timestamp: signedTime({ header: 'box-delivery-timestamp', unit: 'rfc3339', toleranceSeconds: 600 }),
    content: ({ timestamp, body }) => [body, timestamp],
  }),
  kind: 'trigger',
  id: 'id',
  subject: ['source.type', 'source.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Box',
  docs: 'https://developer.box.com/guides/webhooks/v2/signatures-v2',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://developer.box.com/guides/webhooks/v2/', 'https://developer.box.com/guides/webhooks/'],
  identity: 'https://developer.box.com/guides/webhooks/v2/',
  setup: [
    'Create a webhook with the address in the Developer Console or with the API.',
    'The secrets are the primary and the secondary signature key in the Webhooks tab of the app.',
  ],
  retries: 'up to ten times',
  traps: ['`box-delivery-id` is not signed and changes in each attempt: the id is in the body.'],
}
