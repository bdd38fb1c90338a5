import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Lemon Squeezy: webhooks of a store. */
export const lemonSqueezy = defineService({
  name: 'lemon-squeezy',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  kind: 'meta.event_name',
  subject: ['data.type', 'data.id'],
  time: 'data.attributes.updated_at',
})

export const facts: ServiceFacts = {
  title: 'Lemon Squeezy',
  docs: 'https://docs.lemonsqueezy.com/help/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.lemonsqueezy.com/help/webhooks',
    'https://docs.lemonsqueezy.com/help/webhooks/webhook-requests',
    'https://docs.lemonsqueezy.com/help/webhooks/signing-requests',
  ],
  setup: [
    'Open Settings, Webhooks, and create a webhook with the address.',
    'Choose a signing secret of 6 to 40 characters there.',
  ],
  retries: 'three times, after 5, 25 and 125 seconds, unless the status is 200',
  traps: ['The payload has no id of the event: the id is the hash of the body.'],
}
