import { basicAuth, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Chargebee: webhooks of a site. */
export const chargebee = defineService({
  name: 'chargebee',
  signature: basicAuth(),
  kind: 'event_type',
  id: 'id',
  subject: ['content.subscription.id', 'content.invoice.id', 'content.customer.id'],
  time: 'occurred_at',
})

export const facts: ServiceFacts = {
  title: 'Chargebee',
  docs: 'https://www.chargebee.com/docs/billing/2.0/site-configuration/webhook_settings',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://apidocs.au.chargebee.com/docs/api/events/event-object',
    'https://support.chargebee.com/support/solutions/articles/257941-at-which-rate-can-we-expect-the-webhook-calls-in-chargebee-will-there-be-any-performance-disruption',
    'https://www.chargebee.com/docs/2.0/webhook_settings.html',
  ],
  identity: 'https://apidocs.au.chargebee.com/docs/api/events/event-object',
  setup: [
    'Open Settings, Configure Chargebee, Webhooks, and add a webhook with the address.',
    'Protect it with basic authentication. The secret is `user:password`.',
  ],
  retries: 'up to seven times within about 3 days and 7 hours',
  traps: ['Chargebee does not sign the body: read the event again by its id before you act on money.'],
}
