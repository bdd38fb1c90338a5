import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** RevenueCat: webhooks of a project. */
export const revenuecat = defineService({
  name: 'revenuecat',
  signature: sharedToken({ header: 'authorization' }),
  kind: 'event.type',
  id: 'event.id',
  subject: 'event.app_user_id',
  time: 'event.event_timestamp_ms',
})

export const facts: ServiceFacts = {
  title: 'RevenueCat',
  docs: 'https://www.revenuecat.com/docs/integrations/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/RevenueCat/docs/blob/main/docs/integrations/webhooks/event-types-and-fields.mdx',
    'https://github.com/RevenueCat/docs/blob/main/docs/integrations/webhooks.md',
  ],
  identity:
    'https://github.com/RevenueCat/docs/blob/main/docs/integrations/webhooks/event-types-and-fields.mdx',
  setup: [
    'Open Integrations, Webhooks, and add a configuration with the address.',
    'Choose a long random value for the authorization header there. The secret is the whole value.',
  ],
  retries: 'up to five times, after 5, 10, 20, 40 and 80 minutes',
  traps: ['RevenueCat does not sign the body: a person who reads one delivery can send any other.'],
}
