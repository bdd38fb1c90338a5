import { defineService, hexSecret, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Close: webhook subscriptions. */
export const close = defineService({
  name: 'close',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'close-sig-hash',
    timestamp: signedTime({ header: 'close-sig-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, body],
    key: hexSecret(),
  }),
  kind: ['event.object_type', 'event.action'],
  subject: 'event.object_id',
  time: 'event.date_created',
})

export const facts: ServiceFacts = {
  title: 'Close',
  docs: 'https://developer.close.com/topics/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://developer.close.com/api/resources/webhooks.md'],
  setup: [
    'Create a webhook subscription with the address with the API or in Settings, Developer.',
    'The secret is `signature_key` of the subscription, in hexadecimal.',
  ],
  retries: 'with growing delays of up to 20 minutes for 72 hours; Close then pauses the subscription',
}
