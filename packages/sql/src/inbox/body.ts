import { constants, zstdCompressSync } from 'node:zlib'

/** A stored body. */
export interface StoredBody {
  readonly encoding: 'identity' | 'zstd'
  readonly bytes: Uint8Array
  readonly originalBytes: number
}

// Negative levels and target lengths store literals uncompressed: hexadecimal and Base64 would not shrink.
export const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

// A smaller body gains nothing from compression.
const minBytes = 256

/** Compresses a body on this thread; the result is never larger than the body. */
export function compressSync(body: Uint8Array): StoredBody {
  return toStoredBody(body, body.byteLength < minBytes ? undefined : zstdCompressSync(body, zstdOptions))
}

/** Returns the smaller of a body and its compressed form. */
export function toStoredBody(body: Uint8Array, compressed?: Uint8Array): StoredBody {
  const originalBytes = body.byteLength
  return compressed !== undefined && compressed.byteLength < originalBytes
    ? { encoding: 'zstd', bytes: compressed, originalBytes }
    : { encoding: 'identity', bytes: body, originalBytes }
}
