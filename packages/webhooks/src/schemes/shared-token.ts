import type { SignatureScheme } from '../ports/ports.ts'
import { verifyCredential } from './credential.ts'
import { isSecret, requireSecret } from './keys.ts'
import { refusal } from './proof.ts'

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
  // Throws for an invalid header name. workerd accepts an empty name.
  new Headers().has(header || ':')
  return {
    headers: [header],
    verify(delivery, secrets) {
      const presented = delivery.headers.get(header)
      if (presented === null) return refusal('missing')
      if (!presented.startsWith(prefix) || presented === prefix) return refusal('malformed')
      const expected = secrets.filter(isSecret)
      return verifyCredential(presented.slice(prefix.length), expected, delivery)
    },
    sign(_, secret) {
      requireSecret(secret)
      return { [header]: prefix + secret }
    },
  }
}
