import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Mux: webhooks of environments. */
export const mux = defineService({
  name: 'mux',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('mux-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime(),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
  id: 'id',
  subject: 'object.id',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Mux',
  docs: 'https://www.mux.com/docs/core/listen-for-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://mux.com/docs/core/listen-for-webhooks',
    'https://github.com/muxinc/mux-node-sdk/blob/master/src/resources/webhooks/webhooks.ts',
  ],
  identity: 'https://github.com/muxinc/mux-node-sdk/blob/master/src/resources/webhooks/webhooks.ts',
  setup: [
    'Open Settings, Webhooks, and create a webhook with the address in the environment.',
    'The secret is the signing secret of the webhook.',
  ],
  retries: 'for 24 hours with growing delays',
  traps: [
    'The list `attempts` grows with each attempt, so that the bodies differ: the id is the id of the event.',
  ],
}
