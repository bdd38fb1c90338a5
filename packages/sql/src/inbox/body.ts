import { zstd } from './zstd.ts'

/** A stored body. */
export interface StoredBody {
  readonly encoding: 'identity' | 'zstd'
  readonly bytes: Uint8Array
  readonly originalBytes: number
}

// A smaller body gains nothing from compression.
const minBytes = 256

/** Compresses a body on this thread; the result is never larger than the body. */
export function compressHere(body: Uint8Array): StoredBody {
  return body.byteLength < minBytes ? storedBody(body) : storedBody(body, zstd(body))
}

/** Returns the smaller of a body and its compressed form. */
export function storedBody(body: Uint8Array, compressed?: Uint8Array): StoredBody {
  const originalBytes = body.byteLength
  return compressed !== undefined && compressed.byteLength < originalBytes
    ? { encoding: 'zstd', bytes: compressed, originalBytes }
    : { encoding: 'identity', bytes: body, originalBytes }
}
