import { jsonField, type Handshake, type SignatureScheme } from '@sallyport/webhooks'
import { isSignable } from '@sallyport/webhooks/handshakes'

/** Challenges are short. */
const maximumBytes = 4096

/**
 * The verification of a Smartcar address: an event `VERIFY` whose challenge is answered with its HMAC under the newest secret.
 *
 * Smartcar does not sign the challenge. A challenge is signed only when it is 1 to 128 letters, digits, `_` and `-` and not
 * JSON: the scheme of deliveries refuses such a body. Every answer counts as a failure of the address.
 */
export function smartcarChallenge(signature: SignatureScheme, header: string): Handshake {
  return {
    methods: ['POST'],
    async answer({ method, headers, body, secrets }) {
      const [secret] = secrets
      if (body.length > maximumBytes || !secret || jsonField(body, 'eventType') !== 'VERIFY') return undefined
      const challenge = jsonField(body, 'data.challenge')
      if (!isSignable(challenge)) return undefined
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
