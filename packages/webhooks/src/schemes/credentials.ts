import { equalText, sha256Hex } from '../crypto/crypto.ts'
import { encodeBytes, utf8 } from '../crypto/encoding.ts'
import { providerUnavailable } from '../ports/refusals.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { createRandomSecret, isSecret, readKeys, requireSecret } from './keys.ts'
import { requireHeaderName, refusal } from './proof.ts'

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
  const header = 'authorization'
  return {
    headers: [header],
    covers: [],
    description: { scheme: 'basic' },
    async verify({ headers, body }, secrets) {
      const presented = headers.get(header)
      if (presented === null) return refusal('missing')
      const [, credentials] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(presented) ?? []
      if (credentials === undefined) return refusal('malformed')
      const { usable, unusable } = readKeys(secrets, encodeCredentials)
      // Encoding the expected credentials accepts exactly one form.
      if (await matchesAny(credentials, usable)) return { verified: true, body }
      if (unusable) throw unusable
      return refusal('mismatch')
    },
    checkSecret(secret) {
      encodeCredentials(secret)
    },
    createSecret: () => `sallyport:${createRandomSecret()}`,
    sign: (_, secret) => ({ [header]: `Basic ${encodeCredentials(secret)}` }),
  }
}

function encodeCredentials(secret: string): string {
  if (!secret.includes(':'))
    throw providerUnavailable('A secret of this provider is not of the form user:password')
  return encodeBytes('base64', utf8(secret))
}

export interface SharedTokenOptions {
  /** The header that carries the token. */
  readonly header: string
  /** The prefix of the token, such as `Bearer `. @default '' */
  readonly prefix?: string
}

/**
 * A header with the secret. The scheme authenticates the sender, not the body: a person who reads one delivery can send
 * any other delivery.
 *
 * @throws TypeError for an invalid header name; from `sign` for an empty secret
 *
 * @example
 * ```ts
 * import { sharedToken } from '@sallyport/webhooks'
 *
 * const signature = sharedToken({ header: 'x-gitlab-token' })
 * ```
 */
export function sharedToken(options: SharedTokenOptions): SignatureScheme {
  const { prefix = '' } = options
  const header = options.header.toLowerCase()
  requireHeaderName(header)
  return {
    headers: [header],
    covers: [],
    description: { scheme: 'token', options },
    async verify({ headers, body }, secrets) {
      const presented = headers.get(header)
      if (presented === null) return refusal('missing')
      if (!presented.startsWith(prefix) || presented === prefix) return refusal('malformed')
      const isMatch = await matchesAny(presented.slice(prefix.length), secrets.filter(isSecret))
      return isMatch ? { verified: true, body } : refusal('mismatch')
    },
    createSecret: () => createRandomSecret(),
    sign(_, secret) {
      requireSecret(secret)
      return { [header]: prefix + secret }
    },
  }
}

/**
 * Compares a credential with all expected credentials by their hashes. The duration reveals neither a length nor the
 * position in the list.
 */
export async function matchesAny(presented: string, expected: readonly string[]): Promise<boolean> {
  const own = await sha256Hex(utf8(presented))
  let matches = 0
  for (const text of expected) matches += Number(equalText(own, await sha256Hex(utf8(text))))
  return matches > 0
}
