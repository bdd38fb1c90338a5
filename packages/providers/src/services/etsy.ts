import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Etsy: webhooks of commercial apps. */
export const etsy = defineService({
  name: 'etsy',
  signature: standardWebhooks(),
  kind: 'event_type',
  id: { header: 'webhook-id' },
  subject: ['shop_id', 'resource_url'],
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Etsy',
  docs: 'https://developers.etsy.com/documentation/essentials/webhooks',
  confidence: 'primary',
  setup: [
    'Open Your Apps, the app, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret of the endpoint, with its prefix `whsec_`.',
  ],
  retries: 'seven times within about 28 hours',
}
