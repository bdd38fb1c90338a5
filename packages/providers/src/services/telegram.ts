import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Telegram: updates of a bot. */
export const telegram = defineService({
  name: 'telegram',
  signature: sharedToken({ header: 'x-telegram-bot-api-secret-token' }),
  kind: (event) => nameUpdate(event),
  subject: (event) => {
    const { chat, from, user } = readUpdate(event)
    return (chat ?? from ?? user)?.id
  },
  time: (event) => readUpdate(event).edit_date ?? readUpdate(event).date,
  answer: { status: 200 },
})

interface Update {
  readonly chat?: { readonly id?: unknown }
  readonly from?: { readonly id?: unknown }
  readonly user?: { readonly id?: unknown }
  readonly date?: unknown
  readonly edit_date?: unknown
}

/** An update has one member beside its id. */
const nameUpdate = (event: unknown): string | undefined =>
  Object.keys(Object(event) as object).find((name) => name !== 'update_id')

const readUpdate = (event: unknown): Update =>
  Object((Object(event) as Readonly<Record<string, unknown>>)[nameUpdate(event) ?? '']) as Update

export const facts: ServiceFacts = {
  title: 'Telegram Bot API',
  docs: 'https://core.telegram.org/bots/api#setwebhook',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://core.telegram.org/bots/api#setwebhook',
    'https://core.telegram.org/bots/api#update',
    'https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/WebhookActor.cpp',
  ],
  setup: [
    'Call `setWebhook` with the address and a `secret_token` of up to 256 letters, digits, `_` and `-`.',
    'The secret is the `secret_token`.',
  ],
  retries: 'for 23 hours with delays of 1 second to 2 minutes',
  traps: [
    '`update_id` is unique for a bot only, and begins at a random number after a week without updates: the hash of the update identifies it.',
    'Telegram does not sign the body, and acts on the body of a response: the provider answers without one.',
  ],
}
