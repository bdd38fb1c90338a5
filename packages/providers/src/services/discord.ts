import { defineService, ed25519, signedTime, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** Discord: webhook events of an app. */
export const discord = defineService({
  name: 'discord',
  signature: ed25519({
    header: 'x-signature-ed25519',
    encoding: 'hex',
    timestamp: signedTime({ header: 'x-signature-timestamp', toleranceSeconds: 600 }),
    content: ({ timestamp, body }) => [timestamp, body],
    keyEncoding: 'hex',
  }),
  kind: 'event.type',
  subject: ['event.data.user.id', 'event.data.user_id', 'event.data.id', 'application_id'],
  time: 'event.timestamp',
  handshake: fixedHandshake({ when: { json: { type: '0' } }, signed: true, status: 204 }),
  answer: { status: 204 },
})

export const facts: ServiceFacts = {
  title: 'Discord (webhook events)',
  docs: 'https://docs.discord.com/developers/events/webhook-events',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.discord.com/developers/events/webhook-events',
    'https://github.com/discord/discord-api-docs/blob/main/developers/events/webhook-events.mdx',
  ],
  setup: [
    'Open the Developer Portal, the app, Webhooks, and enter the address.',
    'The secret is the public key of the app in General Information, in hexadecimal.',
    'For slash commands and components, use `discord-interactions`.',
  ],
  retries: 'with growing delays for up to 10 minutes',
  traps: [
    'Discord sends deliveries with an invalid signature at times, and disables an endpoint that accepts them.',
    'The payload has no id of the event: the id is the hash of the body.',
  ],
}
