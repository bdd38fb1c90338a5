import { defineService, parseJson, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Brevo: webhooks with a bearer token. */
export const brevo = defineService({
  name: 'brevo',
  resends: false,
  signature: sharedToken({ header: 'authorization', prefix: 'Bearer ' }),
  // A batch is a list of events.
  parse: (body, integers) => [parseJson(body, integers)].flat(),
  events: '*',
  kind: 'event',
  subject: ['message-id', 'email'],
  time: 'ts_epoch',
})

export const facts: ServiceFacts = {
  title: 'Brevo',
  docs: 'https://developers.brevo.com/docs/secured-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.brevo.com/docs/secured-webhooks',
    'https://developers.brevo.com/docs/batch-webhooks',
    'https://developers.brevo.com/docs/retry-mechanism',
  ],
  setup: [
    'Create a webhook with the address and the authentication `{ "type": "bearer", "token": "…" }` with the API.',
    'The secret is the token that you choose.',
  ],
  retries:
    'after an answer of 429 or without an answer, four times: after 10 minutes, 1, 2 and 8 hours. Any other 4xx and any 5xx is final',
  traps: [
    'The token says nothing about the body.',
    '`id` is the id of the webhook.',
    'Brevo discards a delivery that is answered with 503. Without an inbox, a failed publisher loses its events.',
  ],
}
