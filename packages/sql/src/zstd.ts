import { ZstdCompress } from 'minizlib'
import { constants, zstdCompressSync } from 'node:zlib'

// Negative levels and target lengths would store literals as they are: hexadecimal and Base64 would not shrink at all.
export const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** A context keeps memory for the largest body that it has seen; larger ones take so long that a new one does not matter. */
const maxBytesWithContext = 32 * 1024

/** Hardly anybody has had one context compress gigabytes, as it would within minutes. */
const bodiesPerContext = 1024

/** Ends a frame with every write, which fits into one chunk. */
const contextOptions = { ...zstdOptions, flush: constants.ZSTD_e_end, chunkSize: 2 * maxBytesWithContext }

/**
 * Makes frames of Zstandard on this thread, those of small bodies with a context that is kept: making one takes longer than
 * compressing a small body, as it asks the processor what it can, and that of a virtual machine has to ask its host.
 */
export function createZstd(): (body: Uint8Array) => Uint8Array {
  let context: ZstdCompress | undefined
  let left = 0
  let hasFailed = false

  /** Nothing once a context has failed. */
  function withContext(body: Uint8Array): Uint8Array | undefined {
    if (hasFailed) return undefined
    try {
      if (context === undefined || left === 0) {
        context?.close()
        context = new ZstdCompress(contextOptions)
        left = bodiesPerContext
      }
      left--
      context.write(body)
      const frame = context.read()
      if (frame !== null) return frame
    } catch {
      // Its error is of no use to whoever records a delivery.
    }
    hasFailed = true
    return undefined
  }

  return (body) => {
    // Native code ends the process where it is given no view.
    const isSmall = ArrayBuffer.isView(body) && body.byteLength <= maxBytesWithContext
    return (isSmall ? withContext(body) : undefined) ?? zstdCompressSync(body, zstdOptions)
  }
}

export const zstd: (body: Uint8Array) => Uint8Array = createZstd()
