import { zstd } from './zstd.ts'

/** A body as it is stored. */
export interface StoredBody {
  readonly encoding: 'identity' | 'zstd'
  readonly bytes: Uint8Array
  readonly originalBytes: number
}

// Less than this is not worth a frame.
const minBytes = 256

/** Compresses a body on this thread, unless it grows by that. */
export function compressHere(body: Uint8Array): StoredBody {
  return body.byteLength < minBytes ? storedBody(body) : storedBody(body, zstd(body))
}

/** The smaller of a body and what became of it. */
export function storedBody(body: Uint8Array, compressed?: Uint8Array): StoredBody {
  const originalBytes = body.byteLength
  return compressed !== undefined && compressed.byteLength < originalBytes
    ? { encoding: 'zstd', bytes: compressed, originalBytes }
    : { encoding: 'identity', bytes: body, originalBytes }
}
