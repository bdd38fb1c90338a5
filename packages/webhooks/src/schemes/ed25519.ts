import { ed25519Algorithm, type KeyEncoding } from '../crypto/public-key.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { ofLength, publicKeyScheme, type PublicKeyOptions } from './public-key.ts'

export interface Ed25519Options extends PublicKeyOptions {
  /** How the service writes its public key. @default 'pem' */
  readonly keyEncoding?: KeyEncoding
}

/**
 * Ed25519 over the raw body, or over parts that the service signs with it.
 *
 * The provider's secrets are public keys to verify with; `sign` takes a private key in the same encoding.
 *
 * @throws TypeError when `content` is missing and a time or an id is to be signed, when the encoding is none, or a header
 *   has no valid name; from `sign` when the secret is empty
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no key verifies and one of them cannot be used, or when the
 *   keys cannot be had
 *
 * @example
 * ```ts
 * import { ed25519, signedTime } from '@sallyport/webhooks'
 *
 * const signature = ed25519({
 *   header: 'x-signature-ed25519',
 *   encoding: 'hex',
 *   timestamp: signedTime({ header: 'x-signature-timestamp' }),
 *   content: ({ timestamp, body }) => [timestamp, body],
 *   keyEncoding: 'hex',
 * })
 * ```
 *
 * @see RFC 8032
 */
export function ed25519(options: Ed25519Options): SignatureScheme {
  const { keyEncoding = 'pem' } = options
  return publicKeyScheme(options, { algorithm: ed25519Algorithm, keyEncoding, read: ofLength(64) })
}
