import { ZstdCompress } from 'minizlib'
import { constants, zstdCompressSync } from 'node:zlib'

// Negative levels and target lengths would store literals as they are: hexadecimal and Base64 would not shrink at all.
export const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** What a context has compressed it keeps memory for; larger bodies take so long that a new one does not matter. */
const maxBytesWithContext = 32 * 1024

/** Ends a frame with every write, which fits into one chunk. */
const contextOptions = { ...zstdOptions, flush: constants.ZSTD_e_end, chunkSize: 2 * maxBytesWithContext }

// Making one takes longer than compressing a small body: it asks the processor what it can, and that of a virtual machine
// has to ask its host.
let context: ZstdCompress | undefined

/** One frame of Zstandard, made on this thread. */
export function zstd(body: Uint8Array): Uint8Array {
  const frame = body.byteLength <= maxBytesWithContext ? withContext(body) : undefined
  return frame ?? zstdCompressSync(body, zstdOptions)
}

/** Nothing where the context fails, which is not used again. */
function withContext(body: Uint8Array): Uint8Array | undefined {
  const kept = context
  context = undefined
  try {
    const taken = kept ?? new ZstdCompress(contextOptions)
    taken.write(body)
    const frame = taken.read() ?? undefined
    if (frame) context = taken
    return frame
  } catch {
    return undefined
  }
}
