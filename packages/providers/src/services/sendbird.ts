import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Sendbird: chat webhooks of an application. */
export const sendbird = defineService({
  name: 'sendbird',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-sendbird-signature' }),
  kind: 'category',
  // A member can join a channel twice.
  distinct: (event) => readTime(event) === undefined,
  subject: ['app_id', 'channel.channel_url'],
  time: (event) => readTime(event),
})

interface Event {
  readonly created_at?: unknown
  readonly payload?: { readonly created_at?: unknown }
}

const readTime = (event: unknown): unknown => {
  const { payload, created_at: created } = Object(event) as Event
  return payload?.created_at ?? created
}

export const facts: ServiceFacts = {
  title: 'Sendbird',
  docs: 'https://sendbird.com/docs/chat/platform-api/v3/webhook/webhook-overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.sendbird.com/docs/chat/platform-api/v3/webhook/webhook-overview'],
  setup: [
    'Open Settings, Chat, Webhooks, turn webhooks on, and enter the address and the events.',
    'The secret is the master API token of the application.',
  ],
  retries: 'up to three attempts; the timeout is five seconds',
  traps: [
    'An event has no id: the id is the hash of the body.',
    'A body without `created_at`, such as that of a member who joins, can repeat for another change: each delivery of it is a new event, and so is a further attempt.',
  ],
}
