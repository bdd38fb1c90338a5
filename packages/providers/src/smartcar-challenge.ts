import { jsonField, type Handshake, type SignatureScheme } from '@sallyport/webhooks'

/** Challenges are short. */
const maximumBytes = 4096

/**
 * The verification of a Smartcar address: an event `VERIFY` whose challenge is answered with its HMAC under the newest secret.
 *
 * Smartcar does not sign the challenge. A challenge is signed only when it is 16 to 128 letters, digits, `_` and `-` and not
 * JSON, so that it cannot be the body of a delivery. Every answer counts as a failure of the address.
 */
export function smartcarChallenge(signature: SignatureScheme, header: string): Handshake {
  return {
    methods: ['POST'],
    async answer({ method, headers, body, secrets }) {
      const [secret] = secrets
      if (body.length > maximumBytes || !secret || jsonField(body, 'eventType') !== 'VERIFY') return undefined
      const challenge = jsonField(body, 'data.challenge') ?? ''
      if (!random.test(challenge) || isJson(challenge)) return undefined
      const signed = await signature.sign(
        { method, headers, body: new TextEncoder().encode(challenge) },
        secret,
        0,
      )
      const answer = JSON.stringify({ challenge: signed[header] })
      return { contentType: 'application/json', body: answer, signed: true }
    },
  }
}

const random = /^[\w-]{16,128}$/

/** A JSON number could be the body of a delivery. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
