import { defineService, ed25519, signedTime, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** Discord: interactions of an app. */
export const discordInteractions = defineService({
  name: 'discord-interactions',
  resends: false,
  signature: ed25519({
    header: 'x-signature-ed25519',
    encoding: 'hex',
    timestamp: signedTime({ header: 'x-signature-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, body],
    keyEncoding: 'hex',
  }),
  kind: (event) => kinds[Number((Object(event) as { type?: unknown }).type)],
  subject: ['guild_id', 'channel_id', 'id'],
  time: (event) => readTime(event),
  handshake: fixedHandshake({ when: { json: { type: '1' } }, signed: true, json: { type: 1 } }),
  answer: { status: 200, contentType: 'application/json', body: '{"type":5}' },
})

const kinds: readonly (string | undefined)[] = [
  undefined,
  'PING',
  'APPLICATION_COMMAND',
  'MESSAGE_COMPONENT',
  'APPLICATION_COMMAND_AUTOCOMPLETE',
  'MODAL_SUBMIT',
]

/** The id contains the time since 2015 in milliseconds. */
function readTime(event: unknown): number | undefined {
  const { id } = Object(event) as { id?: unknown }
  return typeof id === 'string' && /^\d{17,20}$/.test(id)
    ? Number(BigInt(id) >> 22n) + 1_420_070_400_000
    : undefined
}

export const facts: ServiceFacts = {
  title: 'Discord (interactions)',
  docs: 'https://docs.discord.com/developers/interactions/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.discord.com/developers/interactions/overview'],
  setup: [
    'Open the Developer Portal, the app, General Information, and enter the address as Interactions Endpoint URL.',
    'The secret is the public key on the same page, in hexadecimal.',
  ],
  retries: 'never',
  traps: [
    'The answer defers the reply: send the reply with the token of the interaction within 15 minutes.',
    'The answer does not suit autocompletion: answer such interactions in a provider with `normalize` and your own route.',
    'Discord sends deliveries with an invalid signature at times, and disables an endpoint that accepts them.',
  ],
}
