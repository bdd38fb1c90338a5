import { defineService, hmac, sha256Hex, type ServiceFacts } from '@sallyport/webhooks'
import { createVerifyTokenHandshake, withVerifyTokens } from '../verify-tokens.ts'

const hash = async (text: string): Promise<string> => sha256Hex(new TextEncoder().encode(text))

/** Fitbit sends the verification code and a wrong one. */
const handshake = createVerifyTokenHandshake((codes) => ({
  methods: ['GET'],
  async answer({ query }) {
    const code = query.get('verify')
    if (code === null) return undefined
    const hashes = await Promise.all(codes.map(hash))
    const status = hashes.includes(await hash(code)) ? 204 : 404
    return { status, contentType: 'text/plain', body: '' }
  },
}))

/** Fitbit: subscriptions of an app. */
export const fitbit = defineService({
  name: 'fitbit',
  createsSecret: true,
  signature: withVerifyTokens(
    hmac({
      algorithm: 'sha1',
      encoding: 'base64',
      header: 'x-fitbit-signature',
      key: (secret) => `${secret}&`,
    }),
  ),
  events: '*',
  kind: 'collectionType',
  distinct: true,
  subject: ['ownerId', 'date'],
  time: 'date',
  handshake,
  answer: { status: 204 },
})

export const facts: ServiceFacts = {
  title: 'Fitbit',
  docs: 'https://dev.fitbit.com/build/reference/web-api/developer-guide/using-subscriptions/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developers.google.com/health/about',
    'https://dev.fitbit.com/build/reference/web-api/developer-guide/using-subscriptions/',
  ],
  setup: [
    'Open the settings of the app at dev.fitbit.com, and add a subscriber with the address and the type JSON.',
    'The secrets are the client secret and, as a second secret, `verify:` and the verification code of the subscriber.',
  ],
  retries: 'unknown',
  traps: [
    'Google ended the Web API of Fitbit on 2 November 2026: the Google Health API replaces it.',
    'Two changes of one day have equal bodies and no id: each delivery is a new event, and a retry is one, too.',
    'The payload has only the changed collection and its day: read the data with the API.',
    'Fitbit also sends a wrong verification code, which the handshake answers with 404.',
  ],
}
