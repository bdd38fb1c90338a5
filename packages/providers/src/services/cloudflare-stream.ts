import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Cloudflare Stream: the webhook of an account. */
export const cloudflareStream = defineService({
  name: 'cloudflare-stream',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('webhook-signature', { timestamp: 'time', signature: 'sig1' }),
    timestamp: signedTime(),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'status.state',
  subject: 'uid',
  time: 'modified',
})

export const facts: ServiceFacts = {
  title: 'Cloudflare Stream',
  docs: 'https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/cloudflare/cloudflare-docs/blob/production/src/content/docs/stream/manage-video-library/using-webhooks.mdx',
  ],
  setup: [
    'Send `PUT https://api.cloudflare.com/client/v4/accounts/{account_id}/stream/webhook` with the address as `notificationUrl`.',
    'The secret is `result.secret` in the answer.',
  ],
  retries: 'unknown',
  traps: [
    'The header `webhook-signature` is not a header of Standard Webhooks.',
    'Live inputs send their events as Cloudflare Notifications.',
  ],
}
