import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Paddle Billing: notifications. */
export const paddle = defineService({
  name: 'paddle',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('paddle-signature', { timestamp: 'ts', signature: 'h1', separator: ';' }),
    timestamp: signedTime({ toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, ':', body],
  }),
  kind: 'event_type',
  id: 'event_id',
  subject: 'data.id',
  time: 'occurred_at',
})

export const facts: ServiceFacts = {
  title: 'Paddle Billing',
  docs: 'https://developer.paddle.com/webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.paddle.com/webhooks/respond-to-webhooks',
    'https://developer.paddle.com/webhooks/about/how-webhooks-work',
    'https://developer.paddle.com/api-reference/events/overview',
  ],
  identity: 'https://developer.paddle.com/api-reference/events/overview',
  setup: [
    'Open Developer tools, Notifications, and create a destination with the address.',
    'The secret is the secret key of the destination, with its prefix `pdl_ntfset_`.',
  ],
  retries: '60 times within 3 days; in the sandbox three times within 15 minutes',
  traps: [
    'Paddle requires the status 200 within 5 seconds.',
    '`notification_id` differs between destinations and after a replay; the provider uses `event_id`.',
  ],
}
