import { equalText as equal, hashText as hash, prepareHmac as hmac, sha256Hex as sha256 } from '#crypto'
import type { MaybePromise } from '../ports/ports.ts'
import type { DigestEncoding } from './encoding.ts'

export type { DigestEncoding } from './encoding.ts'
/** `md5` is for services without another algorithm, and needs Node's crypto. */
export type HmacAlgorithm = 'md5' | 'sha1' | 'sha256' | 'sha512'

/** A part of signed content: bytes, or text in UTF-8. */
export type ContentPart = string | Uint8Array

/** Computes the HMAC of the joined parts, as text. */
export type Hmac = (content: readonly ContentPart[]) => MaybePromise<string>

/** Node's crypto returns values, and WebCrypto returns promises. */
interface Crypto {
  /** Imports a key, which takes longer than the HMAC of a small body. */
  readonly prepareHmac: (algorithm: HmacAlgorithm, encoding: DigestEncoding, key: ContentPart) => Hmac
  /** Computes the hash of the joined parts, as text. */
  readonly hashText: (
    algorithm: HmacAlgorithm,
    encoding: DigestEncoding,
    content: readonly ContentPart[],
  ) => MaybePromise<string>
  /** Computes the SHA-256 in lower-case hexadecimal. */
  readonly sha256Hex: (content: Uint8Array) => MaybePromise<string>
  /** Compares two texts in constant time for texts of equal length. */
  readonly equalText: (a: string, b: string) => boolean
}

// The import condition `node` selects the implementation.
export const prepareHmac: Crypto['prepareHmac'] = hmac
export const hashText: Crypto['hashText'] = hash
export const sha256Hex: Crypto['sha256Hex'] = sha256

/** The length of a digest in bytes. */
export const digestBytes: Readonly<Record<HmacAlgorithm, number>> = {
  md5: 16,
  sha1: 20,
  sha256: 32,
  sha512: 64,
}

export const equalText: Crypto['equalText'] = equal
