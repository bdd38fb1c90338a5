import { compactJson, defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'
import { echo, signedChallenge } from '@sallyport/webhooks/handshakes'
import { readPath } from '../agreement.ts'

/** Front: webhooks of applications. */
export const frontApplication = defineService({
  name: 'front-application',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-front-signature',
    timestamp: signedTime({ header: 'x-front-request-timestamp', unit: 'ms' }),
    content: ({ timestamp, body }) => [timestamp, ':', body],
    forms: compactJson,
  }),
  // The challenge header is not signed, but the body is: a header on a delivery does not make it a challenge.
  handshake: signedChallenge({
    mark: '"sync"',
    answer: (payload, { headers }) =>
      readPath(payload, 'type') === 'sync' ? echo(headers.get('x-front-challenge')) : undefined,
  }),
  kind: 'type',
  subject: 'payload.conversation.id',
  time: 'payload.emitted_at',
})

export const facts: ServiceFacts = {
  title: 'Front (applications)',
  docs: 'https://dev.frontapp.com/docs/application-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://dev.frontapp.com/docs/application-webhooks'],
  setup: [
    'Open Settings, Developers, and create an application with the feature "Webhooks" and the address.',
    'The secret is the key of the application.',
  ],
  retries: 'up to three times',
}
