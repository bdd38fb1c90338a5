import type { MaybePromise } from '@sallyport/webhooks'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { compressHere, storedBody, type StoredBody } from '../inbox/body.ts'
import { zstdOptions } from '../inbox/zstd.ts'

const zstdElsewhere = promisify(zstdCompress)

// Dispatching a body to another thread takes as long as compressing this many bytes here.
const maxBytesHere = 32 * 1024

// Node's thread pool has four threads. A compression that waits for a thread would already hold its memory.
let free = 4
const waiting: (() => void)[] = []

/** Compresses a body, a large one on another thread; the result is never larger than the body. */
export function compress(body: Uint8Array): MaybePromise<StoredBody> {
  return body.byteLength <= maxBytesHere ? compressHere(body) : compressElsewhere(body)
}

async function compressElsewhere(body: Uint8Array): Promise<StoredBody> {
  if (free > 0) free--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return storedBody(body, await zstdElsewhere(body, zstdOptions))
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}
