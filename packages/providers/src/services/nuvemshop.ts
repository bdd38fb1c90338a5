import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Nuvemshop (Tiendanube): webhooks of an app. */
export const nuvemshop = defineService({
  name: 'nuvemshop',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-linkedstore-hmac-sha256' }),
  kind: 'event',
  // The body has the ids of a store and an entity, without a time.
  distinct: true,
  subject: ['store_id', 'id'],
})

export const facts: ServiceFacts = {
  title: 'Nuvemshop',
  docs: 'https://github.com/TiendaNube/api-docs/blob/master/resources/webhook.md',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://github.com/TiendaNube/api-docs/blob/master/resources/webhook.md'],
  setup: [
    'Create a webhook with the event and the address as `url` with the API.',
    'The secret is the client secret of the app.',
  ],
  retries: '14 times within 3 days, with growing delays',
  traps: [
    'The body has only ids: read the entity with the API. Two changes of one entity have equal bodies, so that each delivery is a new event, and so is a further attempt or a captured delivery.',
    'Webhooks of the data protection law, such as `store/redact`, have no `event`, and are `unknown`.',
  ],
}
