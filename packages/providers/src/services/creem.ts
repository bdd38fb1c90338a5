import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Creem: webhooks of a store. */
export const creem = defineService({
  name: 'creem',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'creem-signature' }),
  kind: 'eventType',
  subject: ['object.object', 'object.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Creem',
  docs: 'https://docs.creem.io/code/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.creem.io/code/webhooks.md', 'https://docs.creem.io/skills/creem-api/WEBHOOKS'],
  setup: [
    'Open Developers, Webhooks in the dashboard, and register the address. Test mode has its own webhooks.',
    'The secret is the webhook secret.',
  ],
  retries: 'four times: after 30 seconds, 1 minute, 5 minutes and 1 hour, unless the answer is 200',
}
