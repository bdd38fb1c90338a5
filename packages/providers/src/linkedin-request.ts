import { hmac, type Handshake, type SignatureLocation } from '@sallyport/webhooks'

const header = 'x-li-signature'
const prefix = 'hmacsha256='

/** The documentation permits two readings: the prefix is part of the signed content, or precedes the signature. */
export const linkedinSignature: SignatureLocation = {
  names: [header],
  read({ headers }) {
    const value = headers.get(header)
    if (value === null) return 'missing'
    return { signatures: [value.startsWith(prefix) ? value.slice(prefix.length) : value] }
  },
  write: (signature) => ({ [header]: signature }),
}

const challenge = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'response' })

/** Signs a UUID, which the provider refuses as the body of a delivery. */
export const linkedinHandshake: Handshake = {
  methods: ['GET'],
  async answer({ method, query, headers, secrets: [secret] }) {
    const challengeCode = query.get('challengeCode') ?? ''
    if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(challengeCode) || secret === undefined)
      return undefined
    const request = { method, headers, body: new TextEncoder().encode(challengeCode) }
    const { response: challengeResponse } = await challenge.sign(request, secret, 0)
    const body = JSON.stringify({ challengeCode, challengeResponse })
    return { contentType: 'application/json', body, signed: true }
  },
}
