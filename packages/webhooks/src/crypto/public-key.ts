import { decodeText } from './encoding.ts'

// All hosts use WebCrypto. On Node, WebCrypto computes outside of the main thread and does not block other deliveries.

export type PublicKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>
type ImportParameters = Parameters<typeof crypto.subtle.importKey>[2]
type SignParameters = Parameters<typeof crypto.subtle.sign>[0]

/** A public key as JSON: RFC 7517. */
export type Jwk = Readonly<Record<string, unknown>>

/**
 * The encoding of a key.
 *
 * - `pem`: PEM of an SPKI public key (`BEGIN PUBLIC KEY`) or a PKCS #8 private key (`BEGIN PRIVATE KEY`)
 * - `der`: the same key in base64, without the PEM lines
 * - `hex`, `base64`: the 32 bytes of an Ed25519 key; the public key may follow a private key
 */
export type KeyEncoding = 'pem' | 'der' | 'hex' | 'base64'

export interface SignatureAlgorithm {
  readonly key: ImportParameters
  readonly operation: SignParameters
}

/** The PKCS #8 bytes before the 32 bytes of an Ed25519 private key. */
const ed25519Prefix = Uint8Array.of(
  ...[0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20],
)

/** @throws for an invalid key; the message may contain a part of the key and must not be shown */
export async function importKey(
  { key: parameters }: SignatureAlgorithm,
  encoding: KeyEncoding,
  use: 'verify' | 'sign',
  key: string | Jwk,
): Promise<PublicKey> {
  const { subtle } = crypto
  const isPublic = use === 'verify'
  if (typeof key !== 'string') return bounded(await subtle.importKey('jwk', key, parameters, false, [use]))
  const bytes = readKey(encoding, isPublic, key)
  if (encoding === 'pem' || encoding === 'der') {
    return bounded(await subtle.importKey(isPublic ? 'spki' : 'pkcs8', bytes, parameters, false, [use]))
  }
  const sizes = isPublic ? [32] : [32, 64]
  if (!sizes.includes(bytes.length)) throw new TypeError('Not a raw key')
  if (isPublic) return subtle.importKey('raw', bytes, parameters, false, [use])
  const wrapped = Uint8Array.of(...ed25519Prefix, ...bytes.subarray(0, 32))
  return subtle.importKey('pkcs8', wrapped, parameters, false, [use])
}

function readKey(encoding: KeyEncoding, isPublic: boolean, text: string): Uint8Array<ArrayBuffer> {
  const trimmed = text.trim()
  if (encoding === 'hex') return required(decodeText('hex', trimmed.toLowerCase()))
  if (encoding !== 'pem') return required(decodeText('base64', trimmed))
  const label = isPublic ? 'PUBLIC' : 'PRIVATE'
  const [, lines] = pem.exec(trimmed) ?? []
  if (lines === undefined || !trimmed.startsWith(`-----BEGIN ${label}`)) throw new TypeError('Not PEM')
  return required(decodeText('base64', lines.replaceAll(/\s/g, '')))
}

const pem = /^-----BEGIN (?:PUBLIC|PRIVATE) KEY-----([\sA-Za-z0-9+/=]+)-----END (?:PUBLIC|PRIVATE) KEY-----$/

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('Not in this encoding')
  return value
}

/** RSA keys below 2048 bits can be factored. */
function bounded(key: PublicKey): PublicKey {
  const { modulusLength } = key.algorithm as { modulusLength?: number }
  if (modulusLength !== undefined && modulusLength < 2048) throw new TypeError('Too short')
  return key
}
