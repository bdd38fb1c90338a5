import { constants } from 'node:zlib'

/** A body as it is stored. */
export interface StoredBody {
  readonly encoding: 'identity' | 'zstd'
  readonly bytes: Uint8Array
  readonly originalBytes: number
}

export const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

// Less than this is not worth a frame.
const minBytes = 256

export const isWorthCompressing = (body: Uint8Array): boolean => body.byteLength >= minBytes

/** The smaller of a body and what became of it. */
export function storedBody(body: Uint8Array, compressed?: Uint8Array): StoredBody {
  const originalBytes = body.byteLength
  return compressed !== undefined && compressed.byteLength < originalBytes
    ? { encoding: 'zstd', bytes: compressed, originalBytes }
    : { encoding: 'identity', bytes: body, originalBytes }
}
