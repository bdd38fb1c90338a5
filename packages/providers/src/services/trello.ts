import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** Trello: webhooks of tokens. */
export const trello = defineService({
  name: 'trello',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha1',
    encoding: 'base64',
    header: 'x-trello-webhook',
    content: ({ body, url }) => [body, url],
  }),
  handshake: fixedHandshake({ methods: ['HEAD'] }),
  kind: 'action.type',
  subject: ['action.data.board.id', 'action.data.card.id'],
  time: 'action.date',
})

export const facts: ServiceFacts = {
  title: 'Trello',
  docs: 'https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/'],
  setup: [
    'Create a webhook with `POST https://api.trello.com/1/webhooks`: `callbackURL` is the address, and `idModel` is the id of a board, a list, a card or a member.',
    'The secret is the OAuth 1.0 secret of the Power-Up, on its page API key. It is not the API key or the token.',
  ],
  retries: 'three times, after 30, 60 and 120 seconds',
  traps: [
    'The signature covers the address: it must be the same as in `callbackURL`, to the letter.',
    'Two webhooks, such as those of a board and of its card, send an action twice, each with its `model`: these are two events.',
    'An answer with the status 410 deletes the webhook.',
  ],
}
