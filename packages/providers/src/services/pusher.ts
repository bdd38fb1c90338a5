import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Pusher Channels: webhooks of an app. */
export const pusher = defineService({
  name: 'pusher',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-pusher-signature' }),
  events: 'events.*',
  kind: 'name',
  subject: 'channel',
  time: '/time_ms',
})

export const facts: ServiceFacts = {
  title: 'Pusher Channels',
  docs: 'https://pusher.com/docs/channels/server_api/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://github.com/pusher/docs/blob/main/docs/channels/server_api/webhooks.md'],
  setup: [
    'Open the app, Webhooks, and enter the address and the type of events.',
    'The secret is the secret of the oldest active key in App Keys. `x-pusher-key` names this key.',
  ],
  retries: 'for 5 minutes with growing delays',
  traps: [
    'An event has no id: the id is the hash of the body, which has the time in milliseconds, and the place in the batch.',
    'Webhooks of Pusher Beams have another signature, and are refused.',
  ],
}
