import { createSemaphore } from '@sallyport/internal/semaphore'
import type { MaybePromise } from '@sallyport/webhooks'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { compressSync, toStoredBody, zstdOptions, type StoredBody } from './body.ts'

const zstdCompressAsync = promisify(zstdCompress)

// Dispatching a body to another thread takes as long as compressing this many bytes on this thread.
const maxSyncBytes = 32 * 1024

// Node's thread pool has four threads. A compression that waits for a thread would already hold its memory.
const threads = createSemaphore({
  limit: 4,
  // The queue of records bounds the waiting bodies.
  maxWaiting: Infinity,
  onOverload: () => new Error('Too many bodies wait to be compressed'),
})

/** Compresses a body, a large one on another thread; the result is never larger than the body. */
export function compress(body: Uint8Array): MaybePromise<StoredBody> {
  if (body.byteLength <= maxSyncBytes) return compressSync(body)
  return threads.run(async () => toStoredBody(body, await zstdCompressAsync(body, zstdOptions)))
}
