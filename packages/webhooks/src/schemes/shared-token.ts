import type { SignatureScheme } from '../ports/ports.ts'
import { verifyCredential } from './credential.ts'
import { isSecret, refuseEmpty } from './keys.ts'
import { refusal } from './proof.ts'

export interface SharedTokenOptions {
  /** The header that carries the token. */
  readonly header: string
  /** What stands before the token, such as `Bearer `. @default nothing */
  readonly prefix?: string
}

/**
 * The secret itself in a header. It proves who sends, and nothing about the body: whoever reads one delivery can send
 * any other.
 *
 * @throws TypeError when the header has no valid name; from `sign` when the secret is empty
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
  // It throws where no header can be called so; workerd takes nothing for a name.
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
      refuseEmpty(secret)
      return { [header]: prefix + secret }
    },
  }
}
