import { utf8 } from '../crypto/bytes.ts'
import { encodeBytes } from '../crypto/text.ts'
import { whenReady } from '../internal/maybe-promise.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { verifyCredential } from './credential.ts'
import { readKeys } from './keys.ts'
import { providerUnavailable } from '../gateway/refusals.ts'
import { refusal } from './proof.ts'

const header = 'authorization'

/**
 * Basic authentication: secrets are `user:password`. It proves who sends, and nothing about the body.
 *
 * The scheme's name may be in any case; the credentials are the canonical base64 of their UTF-8 bytes.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no secret verifies and one of them has no colon, from `sign`
 *   also when the secret has none
 *
 * @see RFC 7617
 */
export function basicAuth(): SignatureScheme {
  return {
    headers: [header],
    verify(delivery, secrets) {
      const presented = delivery.headers.get(header)
      if (presented === null) return refusal('missing')
      const [, credentials] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(presented) ?? []
      if (credentials === undefined) return refusal('malformed')
      const { usable, unusable } = readKeys(secrets, credentialsOf)
      // Encoding what is expected, rather than decoding what is presented, leaves one form to be accepted.
      return whenReady(verifyCredential(credentials, usable, delivery), (verification) => {
        if (!verification.verified && unusable) throw unusable
        return verification
      })
    },
    checkSecret(secret) {
      credentialsOf(secret)
    },
    sign: (_, secret) => ({ [header]: `Basic ${credentialsOf(secret)}` }),
  }
}

function credentialsOf(secret: string): string {
  if (!secret.includes(':'))
    throw providerUnavailable('A secret of this provider is not of the form user:password')
  return encodeBytes('base64', utf8(secret))
}
