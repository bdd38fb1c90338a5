import {
  defineService,
  hmac,
  signedTime,
  structuredHeader,
  type ServiceFacts,
  type SignatureLocation,
} from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

const field = (signature: string) =>
  structuredHeader('x-boldsign-signature', { timestamp: 't', signature, separator: ', ' })
const [current, previous] = [field('s0'), field('s1')]

/** The signatures with the current secret and, during a rotation, with the previous one. */
const header: SignatureLocation = {
  ...current,
  read(delivery) {
    const [own, old] = [current.read(delivery), previous.read(delivery)]
    if (typeof own === 'string' || typeof old === 'string') return own
    return { ...own, signatures: [...own.signatures, ...old.signatures] }
  },
}

/** BoldSign: webhooks of an account or an app. */
export const boldsign = defineService({
  name: 'boldsign',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header,
    timestamp: signedTime({ toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event.eventType',
  subject: 'data.documentId',
  time: 'event.created',
  handshake: fixedHandshake({ when: { json: { 'event.eventType': 'Verification' } } }),
})

export const facts: ServiceFacts = {
  title: 'BoldSign',
  docs: 'https://developers.boldsign.com/webhooks/introduction',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.boldsign.com/webhooks/verify-webhook-events',
    'https://developers.boldsign.com/webhooks/setting-webhook?region=us',
    'https://developers.boldsign.com/webhooks/introduction',
    'https://developers.boldsign.com/webhooks/webhook-configuration-and-lifecycle/',
    'https://hexdocs.pm/boldsign/Boldsign.Webhook.html',
  ],
  setup: [
    'Open API, Webhooks, add a webhook with the address, and press Verify: the gateway answers the event `Verification`, which has no signature.',
    'The secret is the signing secret, which the page of the webhook reveals.',
  ],
  retries:
    'six times: after 1, 15 and 45 minutes, 1, 8 and 24 hours; after seven days of failures, BoldSign disables the webhook',
  traps: [
    'During a rotation, `s0` is the signature with the new secret and `s1` with the old one: one is enough.',
  ],
}
