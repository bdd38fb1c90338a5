import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Telegram: updates of a bot. */
export const telegram = defineService({
  name: 'telegram',
  signature: sharedToken({ header: 'x-telegram-bot-api-secret-token' }),
  kind: (event) => Object.keys(Object(event) as object).find((name) => name !== 'update_id'),
  id: 'update_id',
  subject: ['message.chat.id', 'edited_message.chat.id', 'callback_query.from.id'],
  time: 'message.date',
  answer: { status: 200 },
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Telegram Bot API',
  docs: 'https://core.telegram.org/bots/api#setwebhook',
  confidence: 'primary',
  setup: [
    'Call `setWebhook` with the address and a `secret_token` of up to 256 letters, digits, `_` and `-`.',
    'The secret is the `secret_token`.',
  ],
  retries: 'for 23 hours with delays of 1 second to 2 minutes',
  traps: [
    'Telegram does not sign the body, and acts on the body of a response: the provider answers without one.',
  ],
}
