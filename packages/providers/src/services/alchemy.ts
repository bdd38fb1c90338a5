import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Alchemy: webhooks of Notify. */
export const alchemy = defineService({
  name: 'alchemy',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-alchemy-signature' }),
  kind: 'type',
  subject: 'webhookId',
  time: 'createdAt',
})

export const facts: ServiceFacts = {
  title: 'Alchemy Notify',
  docs: 'https://www.alchemy.com/docs/reference/notify-api-quickstart',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://www.alchemy.com/docs/reference/notify-api-quickstart'],
  setup: [
    'Open Data, Webhooks, and create a webhook with the address.',
    'The secret is the signing key of the webhook, whole, as text.',
  ],
  retries: 'with delays of 15 seconds to 10 minutes',
  traps: ['The signing key has the prefix `whsec_` and is not decoded.'],
}
