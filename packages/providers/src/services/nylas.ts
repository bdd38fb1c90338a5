import { compressed, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'

/** Nylas: webhooks of version 3. */
export const nylas = defineService({
  name: 'nylas',
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

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Nylas',
  docs: 'https://developer.nylas.com/docs/v3/notifications/',
  confidence: 'secondary',
  setup: [
    'Open Notifications, Create webhook, and enter the address and the triggers, or create a destination with the API.',
    'The secret is the `webhook_secret` of the destination.',
  ],
  traps: [
    'With compressed delivery, the signature covers the compressed bytes.',
    'A notification of more than 1 MB has a kind with `truncated` at the end, and lacks the body of the message.',
    'Webhooks of version 2 have another payload, and are quarantined.',
  ],
}
