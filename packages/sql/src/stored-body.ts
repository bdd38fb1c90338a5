import { constants, zstdCompressSync } from 'node:zlib'

/** A body as it is stored. */
export interface StoredBody {
  readonly encoding: 'identity' | 'zstd'
  readonly bytes: Uint8Array
  readonly originalBytes: number
}

// Negative levels and target lengths would store literals as they are: hexadecimal and Base64 would not shrink at all.
export const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

// What a small body becomes mostly fits into one piece of Node's pool of buffers; a buffer of its own for each keeps the
// collector busy. A large one would come in too many pieces.
const smallBytes = 32 * 1024
const smallZstdOptions = { ...zstdOptions, chunkSize: 4032 }

// Less than this is not worth a frame.
const minBytes = 256

/** Compresses a body on this thread, unless it grows by that. */
export function compressHere(body: Uint8Array): StoredBody {
  if (body.byteLength < minBytes) return storedBody(body)
  const options = body.byteLength <= smallBytes ? smallZstdOptions : zstdOptions
  return storedBody(body, zstdCompressSync(body, options))
}

/** The smaller of a body and what became of it. */
export function storedBody(body: Uint8Array, compressed?: Uint8Array): StoredBody {
  const originalBytes = body.byteLength
  return compressed !== undefined && compressed.byteLength < originalBytes
    ? { encoding: 'zstd', bytes: compressed, originalBytes }
    : { encoding: 'identity', bytes: body, originalBytes }
}
