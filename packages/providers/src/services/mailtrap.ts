import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Mailtrap: webhooks of email sending. */
export const mailtrap = defineService({
  name: 'mailtrap',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'mailtrap-signature' }),
  events: 'events.*',
  kind: 'event',
  id: 'event_id',
  subject: 'message_id',
  time: 'timestamp',
  bodyLimit: 5 * 1024 * 1024,
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Mailtrap',
  docs: 'https://docs.mailtrap.io/email-api-smtp/advanced/webhooks',
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks, and create a webhook with the address, the events and the format JSON.',
    'The secret is the signing secret that Mailtrap shows after the creation.',
  ],
  traps: ['One delivery has many events. The format JSON Lines is not read: choose JSON.'],
}
