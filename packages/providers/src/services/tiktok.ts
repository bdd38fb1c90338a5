import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** TikTok: webhooks of an app. */
export const tiktok = defineService({
  name: 'tiktok',
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

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'TikTok',
  docs: 'https://developers.tiktok.com/doc/webhooks-overview',
  confidence: 'secondary',
  setup: [
    'Open the developer portal, the app, Webhooks, and enter the address as callback URL.',
    'The secret is the client secret of the app.',
  ],
  traps: ['`content` is JSON as text.'],
}
