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

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Chargebee',
  docs: 'https://www.chargebee.com/docs/billing/2.0/site-configuration/webhook_settings',
  confidence: 'primary',
  setup: [
    'Open Settings, Configure Chargebee, Webhooks, and add a webhook with the address.',
    'Protect it with basic authentication. The secret is `user:password`.',
  ],
  retries: 'up to seven times within two days',
  traps: ['Chargebee does not sign the body: read the event again by its id before you act on money.'],
}
