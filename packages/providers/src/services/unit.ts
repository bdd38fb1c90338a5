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

export const facts: ServiceFacts = {
  title: 'Unit',
  docs: 'https://www.unit.co/docs/api/webhooks/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://www.unit.co/docs/api/webhooks/',
    'https://github.com/unit-finance/openapi-unit-sdk/blob/main/openapi.json',
    'https://github.com/unit-finance/unit-node-sdk/blob/main/types/events.ts',
  ],
  identity: 'https://github.com/unit-finance/openapi-unit-sdk/blob/main/openapi.json',
  setup: [
    'Open Developer, Webhooks, and create a webhook with the address.',
    'Choose a token there. The secret is the token.',
  ],
  retries: 'in the mode "at least once"; disabled after 7 days without an answer',
  traps: ['A webhook with the mode "at most once" is never sent again: choose "at least once".'],
}
