import type { KeyEncoding } from '../crypto/public-key.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { checkLength, publicKeyScheme, type PublicKeyOptions } from './public-key.ts'

export interface Ed25519Options extends PublicKeyOptions {
  /** How the service writes its public key. @default 'pem' */
  readonly keyEncoding?: KeyEncoding
}

/**
 * Ed25519 over the raw body, or over parts that the service signs with it.
 *
 * The provider's secrets are public keys to verify with; `sign` takes a private key in the same encoding.
 *
 * @throws TypeError when the scheme signs a time or an id without `content`, for an unknown encoding and for an invalid
 *   header name; from `sign` for an empty secret
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no key verifies and a key is unusable, or when the keys are not
 *   available
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
  const algorithm = { key: { name: 'Ed25519' }, operation: { name: 'Ed25519' } }
  const scheme = publicKeyScheme(options, { algorithm, keyEncoding, read: checkLength(64) })
  return { ...scheme, description: { scheme: 'ed25519', options } }
}
