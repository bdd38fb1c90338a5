import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Orb: webhooks of an account. */
export const orb = defineService({
  name: 'orb',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-orb-signature', { signature: 'v1', separator: ' ' }),
    timestamp: signedTime({ header: 'x-orb-timestamp', unit: 'rfc3339', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => ['v1:', timestamp, ':', body],
  }),
  kind: 'type',
  id: 'id',
  subject: ['invoice.id', 'customer.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Orb',
  docs: 'https://docs.withorb.com/integrations-and-exports/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.withorb.com/integrations-and-exports/webhooks'],
  identity: 'https://docs.withorb.com/integrations-and-exports/webhooks',
  setup: [
    'Open Developers, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret of the endpoint.',
  ],
  retries: 'unknown',
  traps: ['The signed time has no zone: it is UTC. During a rotation, the header has several signatures.'],
}
