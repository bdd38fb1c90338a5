import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Teller: webhooks of an application. */
export const teller = defineService({
  name: 'teller',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('teller-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 180 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
  id: 'id',
  subject: 'payload.enrollment_id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Teller',
  docs: 'https://teller.io/docs/api/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://teller.io/docs/api/webhooks', 'https://docs.propstack.app/providers/teller'],
  identity: 'https://teller.io/docs/api/webhooks',
  setup: [
    'Open Application, Webhooks, and enter the address.',
    'The secret is a signing secret of the application.',
  ],
  retries: 'unknown',
  traps: ['During a rotation, the header has a signature for each secret that is not expired.'],
}
