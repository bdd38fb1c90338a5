import { whenReady } from '@sallyport/internal/promises'
import { utf8 } from '../crypto/bytes.ts'
import { encodeBytes } from '../crypto/text.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { verifyCredential } from './credential.ts'
import { readKeys } from './keys.ts'
import { providerUnavailable } from '../gateway/refusals.ts'
import { refusal } from './proof.ts'

const header = 'authorization'

/**
 * Basic authentication: secrets are `user:password`. The scheme authenticates the sender, not the body.
 *
 * The scheme name is case-insensitive. The credentials are the canonical base64 of their UTF-8 bytes.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no secret verifies and a secret has no colon; from `sign`
 *   when the secret has no colon
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
      const { usable, unusable } = readKeys(secrets, encodeCredentials)
      // Encoding the expected credentials accepts exactly one form.
      return whenReady(verifyCredential(credentials, usable, delivery), (verification) => {
        if (!verification.verified && unusable) throw unusable
        return verification
      })
    },
    checkSecret(secret) {
      encodeCredentials(secret)
    },
    sign: (_, secret) => ({ [header]: `Basic ${encodeCredentials(secret)}` }),
  }
}

function encodeCredentials(secret: string): string {
  if (!secret.includes(':'))
    throw providerUnavailable('A secret of this provider is not of the form user:password')
  return encodeBytes('base64', utf8(secret))
}
