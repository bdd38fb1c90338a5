import { compressed, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Stream: webhooks of Chat, Video and Feeds. */
export const stream = defineService({
  name: 'stream',
  createsSecret: true,
  signature: compressed(hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }), {
    signs: 'inflated',
  }),
  contentEncodings: ['gzip'],
  kind: 'type',
  subject: (event) => readSubject(event),
  time: 'created_at',
})

const readSubject = (event: unknown): unknown => {
  const { cid, call_cid: call } = Object(event) as Readonly<Record<string, unknown>>
  return cid ?? call
}

export const facts: ServiceFacts = {
  title: 'Stream',
  docs: 'https://getstream.io/chat/docs/node/webhooks_overview/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://getstream.io/video/docs/api/webhooks/overview',
    'https://getstream.io/blog/feature-announcement-webhook-retries/',
  ],
  setup: [
    'Open the app in the dashboard, Webhooks, and enter the address.',
    'The secret is the API secret of the app.',
  ],
  retries: 'up to five attempts in 15 seconds',
  traps: [
    'Stream signs the body before it compresses it.',
    '`x-webhook-id` is not signed: the id is the hash of the body.',
    'Messages that Stream sends to SQS and SNS have no signature.',
  ],
}
