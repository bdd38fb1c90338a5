import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'
import { contentWithHeaders, contentWithoutHeaders, hook0Signature } from '../hook0-signature.ts'

/** Coinbase Developer Platform: webhook subscriptions. */
export const coinbaseCdp = defineService({
  name: 'coinbase-cdp',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: hook0Signature,
    timestamp: signedTime(),
    content: [contentWithoutHeaders, contentWithHeaders],
  }),
  kind: (event) => {
    const { eventType, type } = Object(event) as Readonly<Record<string, unknown>>
    return eventType ?? type
  },
  subject: ['data.subscriptionId', 'transactionId', 'id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Coinbase Developer Platform',
  docs: 'https://docs.cdp.coinbase.com/webhooks/verify-signatures',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.cdp.coinbase.com/webhooks/verify-signatures',
    'https://docs.cdp.coinbase.com/webhooks/onramp',
    'https://github.com/coinbase/cdp-sdk/blob/main/openapi.yaml',
  ],
  setup: [
    'Create a webhook subscription with the address with the API.',
    'The secret is `secret` of the subscription.',
  ],
  retries: 'unknown',
  traps: [
    'The provider accepts the signatures `v0` and `v1`. `v1` also covers headers.',
    'Not each event has an id: the id is the hash of the body.',
  ],
}
