import { compressed, defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** QuickNode: Streams and Webhooks. */
export const quicknode = defineService({
  name: 'quicknode',
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
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'QuickNode',
  docs: 'https://www.quicknode.com/docs/streams/validating-streams',
  confidence: 'primary',
  setup: [
    'Create a stream or a webhook with the address as its destination.',
    'The secret is the security token of the destination.',
  ],
  traps: [
    'The filter of the stream decides the payload: the kind is always `data`.',
    'QuickNode signs the body before it compresses it.',
  ],
}
