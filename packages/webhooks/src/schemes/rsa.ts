import type { SignatureScheme } from '../ports/ports.ts'
import { publicKeyScheme, type PublicKeyOptions } from './public-key.ts'

export interface RsaOptions extends PublicKeyOptions {
  /** PKCS #1 v1.5, or PSS with a salt of 32 bytes. @default 'pkcs1' */
  readonly padding?: 'pkcs1' | 'pss'
  /** `sha1` is for services without another hash, such as version 1 of Amazon SNS. @default 'sha256' */
  readonly hash?: 'sha1' | 'sha256' | 'sha512'
  /** How the service writes its public key. @default 'pem' */
  readonly keyEncoding?: 'pem' | 'der'
}

/**
 * RSA over the raw body, or over parts that the service signs with it. Keys have at least 2048 bits,
 * and the algorithm identifier `rsaEncryption`, not `id-RSASSA-PSS`, for both paddings.
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
 * import { rsa } from '@sallyport/webhooks'
 *
 * const signature = rsa({ header: 'x-signature', encoding: 'base64' })
 * ```
 *
 * @see RFC 8017
 */
export function rsa(options: RsaOptions): SignatureScheme {
  const { keyEncoding = 'pem', padding = 'pkcs1', hash = 'sha256' } = options
  const name = padding === 'pss' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
  const algorithm = { key: { name, hash: hash.replace('sha', 'SHA-') }, operation: { name, saltLength: 32 } }
  const scheme = publicKeyScheme(options, { algorithm, keyEncoding, keyNeeds, read: atLeast2048Bits })
  return { ...scheme, description: { scheme: 'rsa', options } }
}

// WebCrypto does not import keys with the identifier id-RSASSA-PSS.
const keyNeeds = 'at least 2048 bits, with the algorithm identifier rsaEncryption'

const atLeast2048Bits = (signature: Uint8Array<ArrayBuffer>) =>
  signature.length >= 256 ? signature : undefined
