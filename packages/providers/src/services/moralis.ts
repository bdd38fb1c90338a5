import { defineService, sharedToken, type Delivery, type ServiceFacts } from '@sallyport/webhooks'
import { startKeccak256 } from '../keccak.ts'

/** A signature is the hash of the body and a secret: compared like a token. */
const token = sharedToken({ header: 'x-signature', prefix: '0x' })

function hash({ body }: Delivery, secrets: readonly string[]): readonly string[] {
  const hashWith = startKeccak256(body)
  return secrets.map((secret) => hashWith(new TextEncoder().encode(secret)))
}

/** Moralis: webhooks of Streams. */
export const moralis = defineService({
  name: 'moralis',
  signature: {
    headers: token.headers,
    verify(delivery, secrets, now) {
      const signature = delivery.headers.get('x-signature')
      // A hash takes 100 ms per MiB: other texts are refused before.
      const isHash = /^0x[\da-f]{64}$/.test(signature ?? '')
      const usable = secrets.filter((secret) => secret !== '')
      const expected = isHash ? hash(delivery, usable) : []
      return token.verify(delivery, expected, now)
    },
    sign: (delivery, secret, now) => token.sign(delivery, secret && hash(delivery, [secret]).join(), now),
  },
  kind: (event) => readKind(event),
  ignore: ['retries'],
  subject: ['streamId', 'chainId'],
  time: 'block.timestamp',
})

interface Webhook {
  readonly confirmed?: unknown
  readonly streamId?: unknown
}

/** The webhook that tests an address has no stream. */
function readKind(event: unknown): string | undefined {
  const { confirmed, streamId } = Object(event) as Webhook
  if (typeof confirmed !== 'boolean') return undefined
  return streamId === '' ? 'test' : confirmed ? 'confirmed' : 'unconfirmed'
}

export const facts: ServiceFacts = {
  title: 'Moralis',
  docs: 'https://docs.moralis.com/streams/security-and-reliability/webhook-security',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.moralis.com/streams/security-and-reliability/webhook-security',
    'https://docs.moralis.com/streams/quickstart/receive-your-first-webhook',
    'https://docs.moralis.com/streams/webhooks/webhook-delivery',
    'https://docs.moralis.com/streams-api/evm/error-handling',
    'https://github.com/MoralisWeb3/Moralis-JS-SDK/blob/main/packages/streams/src/methods/verifySignature.test.ts',
  ],
  setup: [
    'Create a stream with the address in Streams, or with the API. Moralis sends a test at once.',
    'The secret is the secret key of the Streams settings. Older accounts have the API key instead.',
  ],
  retries: 'in growing intervals for 24 hours; a stream below 70 % of success stops until you enable it',
  traps: [
    'The signature is Keccak-256 of the body and the secret, not an HMAC.',
    'Each block is sent twice, as `unconfirmed` and later as `confirmed`. The second one can arrive first.',
    '`retries` changes between the attempts, and is not a part of the id.',
  ],
}
