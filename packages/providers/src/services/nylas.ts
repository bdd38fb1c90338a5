import { compressed, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'

/** Nylas: webhooks of version 3. */
export const nylas = defineService({
  name: 'nylas',
  createsSecret: true,
  signature: compressed(hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-nylas-signature' }), {
    signs: 'compressed',
    maximumBytes: 5 * 1024 * 1024,
  }),
  contentEncodings: ['gzip'],
  kind: 'type',
  id: 'id',
  subject: ['data.object.grant_id', 'data.object.id'],
  time: 'time',
  handshake: echoHandshake({ from: { query: 'challenge' } }),
  bodyLimit: 2 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'Nylas',
  docs: 'https://developer.nylas.com/docs/v3/notifications/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.nylas.com/docs/cookbook/use-cases/build/verify-webhook-signatures/',
    'https://developer.nylas.com/docs/cookbook/use-cases/build/handle-duplicate-webhooks/',
  ],
  identity: 'https://developer.nylas.com/docs/cookbook/use-cases/build/handle-duplicate-webhooks/',
  setup: [
    'Open Notifications, Create webhook, and enter the address and the triggers, or create a destination with the API.',
    'The secret is the `webhook_secret` of the destination.',
  ],
  retries: 'twice, when the answer is not 200 within ten seconds',
  traps: [
    'With compressed delivery, the signature covers the compressed bytes.',
    'A notification of more than 1 MB has a kind with `truncated` at the end, and lacks the body of the message.',
    'Webhooks of version 2 have another payload, whose kind is `unknown`.',
    '`webhook_delivery_attempt` differs between attempts: the id is the id of the notification.',
  ],
}
