import type { SignatureScheme } from '../ports/ports.ts'
import { derToP1363, p1363ToDer } from './ecdsa-der.ts'
import { ofLength, publicKeyScheme, type PublicKeyOptions } from './public-key.ts'

export interface EcdsaOptions extends PublicKeyOptions {
  /** The two numbers of a signature in ASN.1, or one after the other in 64 bytes. @default 'der' */
  readonly format?: 'der' | 'ieee-p1363'
  /** How the service writes its public key. @default 'pem' */
  readonly keyEncoding?: 'pem' | 'der'
}

/**
 * ECDSA on P-256 with SHA-256, over the raw body or over parts that the service signs with it.
 *
 * The provider's secrets are public keys to verify with; `sign` takes a private key in the same encoding. Of every ECDSA
 * signature anybody can make a second one for the same content: it tells no two deliveries apart.
 *
 * @throws TypeError when `content` is missing and a time or an id is to be signed, when the encoding is none, or a header
 *   has no valid name; from `sign` when the secret is empty
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no key verifies and one of them cannot be used, or when the
 *   keys cannot be had
 *
 * @example
 * ```ts
 * import { ecdsa, signedTime } from '@sallyport/webhooks'
 *
 * const signature = ecdsa({
 *   header: 'x-twilio-email-event-webhook-signature',
 *   encoding: 'base64',
 *   timestamp: signedTime({ header: 'x-twilio-email-event-webhook-timestamp' }),
 *   content: ({ timestamp, body }) => [timestamp, body],
 *   keyEncoding: 'der',
 * })
 * ```
 *
 * @see FIPS 186-5
 */
export function ecdsa(options: EcdsaOptions): SignatureScheme {
  const { keyEncoding = 'pem', format = 'der' } = options
  const algorithm = {
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    operation: { name: 'ECDSA', hash: 'SHA-256' },
  }
  const form = format === 'der' ? { read: derToP1363, write: p1363ToDer } : { read: ofLength(64) }
  return publicKeyScheme(options, { algorithm, keyEncoding, ...form })
}
