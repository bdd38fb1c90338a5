import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Ramp: webhook subscriptions. */
export const ramp = defineService({
  name: 'ramp',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-ramp-signature' }),
  kind: 'type',
  id: 'id',
  subject: ['business_id', 'object.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Ramp',
  docs: 'https://docs.ramp.com/developer-api/v1/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.ramp.com/llms-guides/webhooks.txt',
    'https://asyncapi.apis.io/asyncapis/ramp/ramp-developer-api-webhooks-asyncapi/',
  ],
  identity: 'https://docs.ramp.com/llms-guides/webhooks.txt',
  setup: [
    'Create a webhook subscription with the address with the API.',
    'The secret is the secret of the subscription.',
    'Send the challenge of the event `webhooks.verification` to the API, which activates the subscription.',
  ],
  retries: 'ten attempts',
  traps: ['The payload has only ids: read the object with the API.'],
}
