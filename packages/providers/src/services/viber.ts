import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Viber: webhooks of a bot. */
export const viber = defineService({
  name: 'viber',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-viber-content-signature' }),
  kind: 'event',
  subject: ['sender.id', 'user.id', 'user_id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Viber',
  docs: 'https://developers.viber.com/docs/api/rest-bot-api/#webhooks',
  checked: '2026-11',
  sources: [
    'https://developers.viber.com/docs/api/rest-bot-api/#webhooks',
    'https://github.com/Viber/viber-bot-node/blob/master/lib/message/message-validator.js',
  ],
  confidence: 'primary',
  setup: ['Call `set_webhook` with the address.', 'The secret is the authentication token of the bot.'],
  retries: 'unknown',
}
