import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Strike: webhook subscriptions of the API. */
export const strike = defineService({
  name: 'strike',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-webhook-signature',
  }),
  kind: 'eventType',
  ignore: ['deliverySuccess'],
  subject: 'data.entityId',
  time: 'created',
})

export const facts: ServiceFacts = {
  title: 'Strike',
  docs: 'https://docs.strike.me/webhooks/signature-verification/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.strike.me/webhooks/signature-verification/',
    'https://docs.strike.me/webhooks/failure-recovery',
    'https://docs.strike.me/webhooks/setting-up-webhooks',
  ],
  setup: [
    'Create a subscription by `POST /v1/subscriptions` with the address, the event types and a secret of 10 to 50 characters.',
    'The secret is this secret.',
  ],
  retries: 'up to 12 attempts within about 9 days; never after 410 and 501',
  traps: [
    'The example of the documentation signs the body after parsing; the provider verifies the sent bytes.',
    '`deliverySuccess` can change between attempts: the identity omits it.',
  ],
}
