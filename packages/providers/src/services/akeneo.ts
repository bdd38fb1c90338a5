import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Akeneo PIM: the Events API of a connection. */
export const akeneo = defineService({
  name: 'akeneo',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-akeneo-request-signature',
    timestamp: signedTime({ header: 'x-akeneo-request-timestamp' }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  events: 'events.*',
  kind: 'action',
  id: 'event_id',
  subject: ['data.resource.identifier', 'data.resource.uuid', 'data.resource.code'],
  time: 'event_datetime',
})

export const facts: ServiceFacts = {
  title: 'Akeneo',
  docs: 'https://api.akeneo.com/events-documentation/subscription.html',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://api.akeneo.com/events-documentation/subscription.html',
    'https://github.com/hookdeck/webhook-skills/tree/main/skills/akeneo-webhooks',
  ],
  identity: 'https://api.akeneo.com/events-documentation/subscription.html',
  setup: [
    'Open Connect, Connection settings, the connection, Event subscription, and enter the address.',
    'The secret is the secret of the event subscription.',
  ],
  retries: 'unknown; events can be lost, repeated and out of order',
  traps: [
    'One delivery has up to ten events.',
    'Akeneo has deprecated the Events API for its Event Platform, whose deliveries have another form: the provider refuses them.',
  ],
}
