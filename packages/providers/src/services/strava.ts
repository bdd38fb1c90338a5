import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'
import { createVerifyTokenHandshake, withVerifyTokens } from '../verify-tokens.ts'

const handshake = createVerifyTokenHandshake((values) =>
  echoHandshake({
    from: { query: 'hub.challenge' },
    as: { json: 'hub.challenge' },
    token: { query: 'hub.verify_token', values },
  }),
)

/** Strava: webhook subscriptions of an app. */
export const strava = defineService({
  name: 'strava',
  createsSecret: true,
  signature: withVerifyTokens(
    hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: structuredHeader('x-strava-signature', { timestamp: 't', signature: 'v1' }),
      timestamp: signedTime(),
      content: ({ timestamp, body }) => [timestamp, '.', body],
    }),
  ),
  kind: ['object_type', 'aspect_type'],
  subject: ['owner_id', 'object_id'],
  time: 'event_time',
  handshake,
})

export const facts: ServiceFacts = {
  title: 'Strava',
  docs: 'https://developers.strava.com/docs/webhooks/',
  checked: '2026-11',
  sources: ['https://developers.strava.com/docs/webhooks/'],
  confidence: 'secondary',
  setup: [
    'Create a subscription with the address and a verify token with the API: a long random text.',
    'The secrets are the client secret of the app and, as a second secret, `verify:` and the verify token.',
  ],
  retries: 'up to three attempts',
  traps: [
    'The sources contradict: several receivers verify `X-Strava-Signature` since 2026, and other guides say that there is no signature. A delivery without it is refused.',
    'Strava waits 2 seconds for the response.',
  ],
}
