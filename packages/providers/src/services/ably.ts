import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Ably: batched webhooks of an app. */
export const ably = defineService({
  name: 'ably',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-ably-signature' }),
  events: 'items.*',
  kind: 'name',
  // A retried batch can have further events.
  regroups: true,
  subject: 'data.channelId',
  time: 'timestamp',
  bodyLimit: 10 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'Ably',
  docs: 'https://ably.com/docs/platform/integrations/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://ably.com/docs/platform/integrations/webhooks'],
  setup: [
    'Open the app, Integrations, and create a webhook with the address, the request mode Batched, the encoding JSON and an API key under Sign with key.',
    'The secret is the part of this API key after the colon.',
  ],
  retries: 'for 5 minutes with growing delays',
  traps: [
    'Ably signs batched requests only: single requests are refused.',
    'A retried batch can have further events: the content of an event identifies it, without its batch.',
    '`webhookId` is the id of the rule. The data of a message can be encoded: decode them with the SDK.',
  ],
}
