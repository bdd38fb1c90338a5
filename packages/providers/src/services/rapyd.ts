import { defineService, hmac, signedTime } from '@sallyport/webhooks'
import type { ServiceFacts, SignatureLocation } from '@sallyport/webhooks'

/** The signature is a lower-case hexadecimal text in base64. Another text for the same bytes is malformed. */
const location: SignatureLocation = {
  names: ['signature'],
  read({ headers }) {
    const value = headers.get('signature')
    if (value === null) return 'missing'
    const signature = /^[A-Za-z0-9+/]{86}==$/.test(value) ? atob(value) : ''
    return btoa(signature.toLowerCase()) === value ? { signatures: [signature] } : 'malformed'
  },
  write: (signature) => ({ signature: btoa(signature) }),
}

/** Rapyd: webhooks of an account. */
export const rapyd = defineService({
  name: 'rapyd',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: location,
    signedHeaders: ['salt', 'access_key'],
    timestamp: signedTime({ header: 'timestamp' }),
    content: ({ url, headers, timestamp, secret, body }) => [
      url,
      headers.get('salt') ?? undefined,
      timestamp,
      headers.get('access_key') ?? undefined,
      secret,
      body,
    ],
  }),
  kind: 'type',
  id: 'id',
  subject: ['data.id', 'data.payment'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Rapyd',
  docs: 'https://docs.rapyd.net/en/webhook-authentication.html',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.rapyd.net/en/webhook-authentication.html',
    'https://docs.rapyd.net/en/webhooks.html',
    'https://docs.rapyd.net/en/retrieve-webhook.html',
  ],
  identity: 'https://docs.rapyd.net/en/retrieve-webhook.html',
  setup: [
    'Open Developers, Webhooks, and enter the address.',
    'The secret is the secret key of the account.',
    'Set the public address of the server exactly as it is entered: Rapyd signs it.',
  ],
  retries: 'until a maximum that Rapyd does not publish; later with the API',
  traps: ['The signature is the base64 of a hexadecimal text.'],
}
