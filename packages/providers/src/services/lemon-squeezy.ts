import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Lemon Squeezy: webhooks of a store. */
export const lemonSqueezy = defineService({
  name: 'lemon-squeezy',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  kind: 'meta.event_name',
  id: ['data.type', 'data.id', 'data.attributes.updated_at'],
  subject: ['data.type', 'data.id'],
  time: 'data.attributes.updated_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Lemon Squeezy',
  docs: 'https://docs.lemonsqueezy.com/help/webhooks',
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks, and create a webhook with the address.',
    'Choose a signing secret of 6 to 40 characters there.',
  ],
  retries: 'three times, after 5, 25 and 125 seconds',
  traps: ['The payload has no id of the event: the id has the entity and the time of its change.'],
}
