import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** A stored body. */
export interface StoredBody {
  /** `object` for a reference to an object. */
  readonly encoding: 'identity' | 'zstd' | 'sealed' | 'object'
  readonly bytes: Uint8Array
  readonly originalBytes: number
}

// Negative levels and target lengths store literals uncompressed: hexadecimal and Base64 would not shrink.
export const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

// A smaller body gains nothing from compression.
const minBytes = 256

// node:zlib creates a context for each call, 24 of 50 µs for 21 KB on a virtual machine. It has no synchronous call that
// reuses a context; a stream does, and moves each body to another thread and back.
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

// The first bytes of a Zstandard frame. JSON starts with none of them.
const frame = [0x28, 0xb5, 0x2f, 0xfd]

/** Returns the JSON text of a stored body. A byte order mark is left out. */
export function readJsonText(bytes: Uint8Array): string {
  const isCompressed = frame.every((byte, index) => bytes[index] === byte)
  return decoder.decode(isCompressed ? zstdDecompressSync(bytes) : bytes)
}

const decoder = new TextDecoder('utf-8', { fatal: true })
