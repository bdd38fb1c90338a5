import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Etsy: webhooks of commercial apps. */
export const etsy = defineService({
  name: 'etsy',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'event_type',
  id: { header: 'webhook-id' },
  subject: ['shop_id', 'resource_url'],
})

export const facts: ServiceFacts = {
  title: 'Etsy',
  docs: 'https://developers.etsy.com/documentation/essentials/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.etsy.com/documentation/essentials/webhooks',
    'https://github.com/etsy/open-api/discussions/1509',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Open Your Apps, the app, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret of the endpoint, with its prefix `whsec_`.',
  ],
  retries: 'seven times within about 28 hours',
  traps: ['The body has neither an id nor a time: read the receipt with the API.'],
}
