import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Unit: webhooks of an organization. */
export const unit = defineService({
  name: 'unit',
  signature: hmac({ algorithm: 'sha1', encoding: 'base64', header: 'x-unit-signature' }),
  events: 'data.*',
  kind: 'type',
  id: 'id',
  subject: ['relationships.account.data.id', 'relationships.card.data.id'],
  time: 'attributes.createdAt',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Unit',
  docs: 'https://www.unit.co/docs/api/webhooks/',
  confidence: 'secondary',
  setup: [
    'Open Developer, Webhooks, and create a webhook with the address.',
    'Choose a token there. The secret is the token.',
  ],
  traps: ['A webhook with the mode "at most once" is never sent again: choose "at least once".'],
}
