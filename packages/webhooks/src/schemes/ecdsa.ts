import type { SignatureScheme } from '../ports/ports.ts'
import { checkLength, publicKeyScheme, type PublicKeyOptions } from './public-key.ts'

export interface EcdsaOptions extends PublicKeyOptions {
  /** The signature format: ASN.1 DER, or 64 bytes with both numbers. @default 'der' */
  readonly format?: 'der' | 'ieee-p1363'
  /** `sha1` is for services without another hash, such as eBay. @default 'sha256' */
  readonly hash?: 'sha1' | 'sha256'
  /** How the service writes its public key. @default 'pem' */
  readonly keyEncoding?: 'pem' | 'der'
}

/**
 * ECDSA on P-256 over the raw body or over parts that the service signs with it.
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
  const { keyEncoding = 'pem', format = 'der', hash = 'sha256' } = options
  const algorithm = {
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    operation: { name: 'ECDSA', hash: hash.replace('sha', 'SHA-') },
  }
  const form = format === 'der' ? { read: derToP1363, write: p1363ToDer } : { read: checkLength(64) }
  const scheme = publicKeyScheme(options, { algorithm, keyEncoding, ...form })
  return { ...scheme, description: { scheme: 'ecdsa', options } }
}

// SEQUENCE { r INTEGER, s INTEGER } of RFC 3279, for a curve of 32 bytes: every length fits into one byte.

const numberBytes = 32
const sequenceTag = 0x30
const integerTag = 0x02

/** The two numbers in 64 bytes; undefined for everything but the one DER form of a signature. */
export function derToP1363(der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (der[0] !== sequenceTag || der[1] !== der.length - 2) return undefined
  const r = readInteger(der, 2)
  if (r === undefined) return undefined
  const s = readInteger(der, r.end)
  if (s?.end !== der.length) return undefined
  const signature = new Uint8Array(2 * numberBytes)
  signature.set(r.bytes, numberBytes - r.bytes.length)
  signature.set(s.bytes, 2 * numberBytes - s.bytes.length)
  return signature
}

/** A signature of 64 bytes in DER. */
export function p1363ToDer(signature: Uint8Array): Uint8Array {
  const integers = [
    ...integer(signature.subarray(0, numberBytes)),
    ...integer(signature.subarray(numberBytes)),
  ]
  return Uint8Array.of(sequenceTag, integers.length, ...integers)
}

/** A number that is not negative, in as few bytes as it needs. */
function readInteger(der: Uint8Array, at: number): { bytes: Uint8Array; end: number } | undefined {
  const length = der[at + 1] ?? 0
  const end = at + 2 + length
  const [first = 0x80, second = 0] = der.subarray(at + 2, end)
  if (der[at] !== integerTag || length === 0 || end > der.length || first >= 0x80) return undefined
  const isPadded = first === 0 && length > 1
  if (isPadded && second < 0x80) return undefined
  const bytes = der.subarray(isPadded ? at + 3 : at + 2, end)
  return bytes.length > numberBytes ? undefined : { bytes, end }
}

function integer(number: Uint8Array): readonly number[] {
  const start = number.findIndex((byte) => byte !== 0)
  const digits = [...number.subarray(start === -1 ? numberBytes - 1 : start)]
  const padded = (digits[0] ?? 0) >= 0x80 ? [0, ...digits] : digits
  return [integerTag, padded.length, ...padded]
}
