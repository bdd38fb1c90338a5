import type { SignatureScheme } from '../ports/ports.ts'
import { refusal } from '../schemes/proof.ts'

const random = /^[A-Za-z0-9_-]{1,128}$/

/**
 * Reports whether the secret of deliveries may sign a text from a challenge: 1 to 128 letters, digits, `_` and `-` that are not
 * JSON. A JSON number or word could be the body of a delivery.
 */
export function isSignable(text: string | null | undefined): text is string {
  return typeof text === 'string' && random.test(text) && !isJson(text)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** More than the longest text that is signable. */
const maximumBytes = 256

/**
 * Wraps the scheme of a service whose challenges are not signed, so that a body that {@link isSignable} accepts is malformed.
 * A sender without the secret gets the signature of such a text from the handshake.
 *
 * @example
 * ```ts
 * import { hmac } from '@sallyport/webhooks'
 * import { refuseSignable } from '@sallyport/webhooks/handshakes'
 *
 * const signature = refuseSignable(hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }))
 * ```
 */
export function refuseSignable(signature: SignatureScheme): SignatureScheme {
  return {
    ...signature,
    verify(delivery, secrets, now) {
      const { body } = delivery
      const isChallenge = body.length < maximumBytes && isSignable(new TextDecoder().decode(body))
      return isChallenge ? refusal('malformed') : signature.verify(delivery, secrets, now)
    },
  }
}
