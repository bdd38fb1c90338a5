import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Fourthwall: webhooks of a shop. */
export const fourthwall = defineService({
  name: 'fourthwall',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-fourthwall-hmac-sha256',
  }),
  kind: 'type',
  id: 'id',
  subject: 'data.id',
  time: 'createdAt',
})

export const facts: ServiceFacts = {
  title: 'Fourthwall',
  docs: 'https://docs.fourthwall.com/webhooks/signature-verification',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.fourthwall.com/webhooks/signature-verification',
    'https://docs.fourthwall.com/webhooks/limitations',
    'https://docs.fourthwall.com/webhooks/retry-policies',
    'https://docs.fourthwall.com/api-reference/order-events/order-placed',
  ],
  identity: 'https://docs.fourthwall.com/webhooks/limitations',
  setup: [
    'Open Settings, For developers, Webhooks, and add the address and the events.',
    'The secret is the secret key of the shop that the page shows.',
  ],
  retries: 'five attempts until the answer is 200; the timeout is five seconds',
  traps: [
    'Platform apps sign in the header `X-Fourthwall-Hmac-Apps-SHA256` with another key; the provider refuses them.',
  ],
}
