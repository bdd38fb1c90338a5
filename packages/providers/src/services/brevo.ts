import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Brevo: webhooks with a bearer token. */
export const brevo = defineService({
  name: 'brevo',
  signature: sharedToken({ header: 'authorization', prefix: 'Bearer ' }),
  kind: 'event',
  id: ['message-id', 'email', 'ts_epoch'],
  subject: ['message-id', 'email'],
  time: 'ts_epoch',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Brevo',
  docs: 'https://developers.brevo.com/docs/secured-webhooks',
  confidence: 'primary',
  setup: [
    'Create a webhook with the address and the authentication `{ "type": "bearer", "token": "…" }` with the API.',
    'The secret is the token that you choose.',
  ],
  traps: [
    'The token says nothing about the body.',
    '`id` is the id of the webhook.',
    'Leave batches off: the provider reads one event in each delivery.',
  ],
}
