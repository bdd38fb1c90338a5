import { defineService, hexSecret, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Printful: webhooks of API version 2. */
export const printful = defineService({
  name: 'printful',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-pf-webhook-signature',
    key: hexSecret(),
  }),
  kind: 'type',
  ignore: ['retries'],
  subject: ['store_id', 'data.order.id', 'data.shipment.id'],
  time: 'occurred_at',
})

export const facts: ServiceFacts = {
  title: 'Printful',
  docs: 'https://developers.printful.com/docs/v2-beta/#tag/Webhook-v2',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://developers.printful.com/docs/v2-beta/#tag/Webhook-v2'],
  setup: [
    'Configure a webhook with the address with the API.',
    'The secret is the secret key of the configuration, in hexadecimal.',
  ],
  retries: 'unknown',
  traps: [
    '`retries` changes between attempts: the hash of the body omits it.',
    'Webhooks of API version 1 are not signed: this provider refuses them.',
  ],
}
