import { compressed, defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** QuickNode: Streams and Webhooks. */
export const quicknode = defineService({
  name: 'quicknode',
  createsSecret: true,
  signature: compressed(
    hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: 'x-qn-signature',
      signedHeaders: ['x-qn-nonce'],
      timestamp: signedTime({ header: 'x-qn-timestamp' }),
      content: ({ headers, timestamp, body }) => [headers.get('x-qn-nonce') ?? undefined, timestamp, body],
    }),
    { signs: 'inflated', maximumBytes: 10 * 1024 * 1024 },
  ),
  contentEncodings: ['gzip'],
  bodyLimit: 10 * 1024 * 1024,
  kind: () => 'data',
  distinct: true,
})

export const facts: ServiceFacts = {
  title: 'QuickNode',
  docs: 'https://www.quicknode.com/docs/streams/validating-streams',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://www.quicknode.com/guides/quicknode-products/streams/validating-incoming-streams-webhook-messages',
    'https://www.quicknode.com/sample-app-library/streams-webhook-validate-signature',
  ],
  setup: [
    'Create a stream or a webhook with the address as its destination.',
    'The secret is the security token of the destination.',
  ],
  retries: 'unknown',
  traps: [
    'The filter of the stream decides the payload: the kind is always `data`.',
    'QuickNode signs the body before it compresses it.',
    'A filter can give equal payloads for different blocks: each delivery is a new event, also a repeated one.',
  ],
}
