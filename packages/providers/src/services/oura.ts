import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'
import { createVerifyTokenHandshake, withVerifyTokens } from '../verify-tokens.ts'

const handshake = createVerifyTokenHandshake((values) =>
  echoHandshake({
    from: { query: 'challenge' },
    as: { json: 'challenge' },
    token: { query: 'verification_token', values },
  }),
)

/** Oura: webhook subscriptions of an app. */
export const oura = defineService({
  name: 'oura',
  createsSecret: true,
  signature: withVerifyTokens(
    hmac({
      algorithm: 'sha256',
      encoding: 'hex-upper',
      header: 'x-oura-signature',
      signedHeaders: ['x-oura-timestamp'],
      content: ({ headers, body }) => [headers.get('x-oura-timestamp') ?? undefined, body],
    }),
  ),
  kind: ['data_type', 'event_type'],
  subject: ['user_id', 'object_id'],
  time: 'event_time',
  handshake,
})

export const facts: ServiceFacts = {
  title: 'Oura',
  docs: 'https://cloud.ouraring.com/v2/docs#tag/Webhook-Subscription-Routes',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://github.com/the-momentum/open-wearables/blob/main/backend/app/services/providers/oura/webhook_handler.py',
    'https://docs.corsair.dev/plugins/oura/webhooks',
  ],
  setup: [
    'Create a subscription with the address and a verification token with the API: a long random text.',
    'The secrets are the client secret of the app and, as a second secret, `verify:` and the verification token.',
  ],
  retries: 'unknown',
  traps: [
    'The payload has only ids: read the data with the API.',
    'The signature is in upper case.',
    'The provider does not check the age of the signed time.',
  ],
}
