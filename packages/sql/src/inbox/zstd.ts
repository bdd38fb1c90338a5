import { ZstdCompress } from 'minizlib'
import { constants, zstdCompressSync } from 'node:zlib'

// Negative levels and target lengths store literals uncompressed: hexadecimal and Base64 would not shrink.
export const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** A context keeps memory for its largest body; for larger bodies the cost of a new context is negligible. */
const maxBytesWithContext = 32 * 1024

/** A context is replaced after this many bodies, because contexts are rarely tested with gigabytes of input. */
const bodiesPerContext = 1024

/** Ends a frame with every write; a frame fits into one chunk. */
const contextOptions = { ...zstdOptions, flush: constants.ZSTD_e_end, chunkSize: 2 * maxBytesWithContext }

/**
 * Creates a synchronous Zstandard compressor that reuses one context for small bodies: creating a context takes longer
 * than compressing a small body, because it reads the processor's features, which a virtual machine asks of its host.
 */
export function createZstd(): (body: Uint8Array) => Uint8Array {
  let context: ZstdCompress | undefined
  let left = 0
  let hasFailed = false

  /** Returns undefined after a context has failed. */
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
      // The one-shot compression below replaces the context.
    }
    hasFailed = true
    return undefined
  }

  return (body) => {
    // Native code aborts the process for a value that is not a view.
    const isSmall = ArrayBuffer.isView(body) && body.byteLength <= maxBytesWithContext
    return (isSmall ? withContext(body) : undefined) ?? zstdCompressSync(body, zstdOptions)
  }
}

export const zstd: (body: Uint8Array) => Uint8Array = createZstd()
