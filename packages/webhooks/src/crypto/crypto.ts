import { equalText as equal, hmacOf as hmac, sha256Hex as sha256 } from '#crypto'
import type { MaybePromise } from '../ports/ports.ts'
import type { DigestEncoding } from './text.ts'

export type { DigestEncoding } from './text.ts'
export type HmacAlgorithm = 'sha1' | 'sha256' | 'sha512'

/** A piece of signed content: bytes as they are, text as UTF-8. */
export type ContentPart = string | Uint8Array

/** The HMAC of the parts, one after another, as text. */
export type Hmac = (content: readonly ContentPart[]) => MaybePromise<string>

/** What Node's crypto answers at once and WebCrypto with a promise. */
interface Crypto {
  /** Imports a key, which costs more than a signature over little. */
  readonly hmacOf: (algorithm: HmacAlgorithm, encoding: DigestEncoding, key: ContentPart) => Hmac
  /** The SHA-256 of the content, in lower-case hexadecimal. */
  readonly sha256Hex: (content: Uint8Array) => MaybePromise<string>
  /** Compares two texts in a time that tells nothing but their lengths. */
  readonly equalText: (a: string, b: string) => boolean
}

// The import condition `node` decides between the two at bundling or loading time.
export const hmacOf: Crypto['hmacOf'] = hmac
export const sha256Hex: Crypto['sha256Hex'] = sha256
export const equalText: Crypto['equalText'] = equal
