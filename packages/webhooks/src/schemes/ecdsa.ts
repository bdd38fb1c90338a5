import type { SignatureScheme } from '../ports/ports.ts'
import { derToP1363, p1363ToDer } from './ecdsa-der.ts'
import { checkLength, publicKeyScheme, type PublicKeyOptions } from './public-key.ts'

export interface EcdsaOptions extends PublicKeyOptions {
  /** The signature format: ASN.1 DER, or 64 bytes with both numbers. @default 'der' */
  readonly format?: 'der' | 'ieee-p1363'
  /** How the service writes its public key. @default 'pem' */
  readonly keyEncoding?: 'pem' | 'der'
}

/**
 * ECDSA on P-256 with SHA-256, over the raw body or over parts that the service signs with it.
 *
 * The provider's secrets are public keys to verify with; `sign` takes a private key in the same encoding. ECDSA
 * signatures are malleable: do not use a signature as the id of a delivery.
 *
 * @throws TypeError when the scheme signs a time or an id without `content`, for an unknown encoding and for an invalid
 *   header name; from `sign` for an empty secret
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no key verifies and a key is unusable, or when the keys are not
 *   available
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
  const form = format === 'der' ? { read: derToP1363, write: p1363ToDer } : { read: checkLength(64) }
  return publicKeyScheme(options, { algorithm, keyEncoding, ...form })
}
