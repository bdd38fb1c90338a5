import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** TikTok: webhooks of an app. */
export const tiktok = defineService({
  name: 'tiktok',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('tiktok-signature', { timestamp: 't', signature: 's' }),
    timestamp: signedTime({ toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event',
  subject: 'user_openid',
  time: 'create_time',
})

export const facts: ServiceFacts = {
  title: 'TikTok',
  docs: 'https://developers.tiktok.com/doc/webhooks-overview',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developers.tiktok.com/doc/webhooks-overview',
    'https://developers.tiktok.com/doc/webhooks-events',
  ],
  setup: [
    'Open the developer portal, the app, Webhooks, and enter the address as callback URL.',
    'The secret is the client secret of the app.',
  ],
  retries: 'for up to 72 hours with growing delays, until the answer is 200',
  traps: ['`content` is JSON as text.'],
}
