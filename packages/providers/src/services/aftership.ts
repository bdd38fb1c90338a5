import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** AfterShip Tracking: webhooks. */
export const aftership = defineService({
  name: 'aftership',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'aftership-hmac-sha256' }),
  kind: 'event',
  id: 'event_id',
  subject: ['msg.slug', 'msg.tracking_number'],
  time: 'ts',
})

export const facts: ServiceFacts = {
  title: 'AfterShip',
  docs: 'https://www.aftership.com/docs/tracking/webhook/webhook-overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://www.aftership.com/docs/tracking/2025-01/webhook/webhook-specifications'],
  identity: 'https://www.aftership.com/docs/tracking/2025-01/webhook/webhook-specifications',
  setup: [
    'Open Settings, Notifications, Webhooks, and add the address.',
    'The secret is the webhook secret of the page.',
  ],
  retries: 'unknown',
}
