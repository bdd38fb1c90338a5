import type { MaybePromise } from '@sallyport/webhooks'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { compressHere, storedBody, type StoredBody } from '../stored-body.ts'
import { zstdOptions } from '../zstd.ts'

const zstdElsewhere = promisify(zstdCompress)

// To hand a body to another thread, and to hear of it again, takes this one as long as to compress so much by itself.
const maxBytesHere = 32 * 1024

// Node's threads are as many. A compression that only waits for one of them would hold its memory meanwhile.
let free = 4
const waiting: (() => void)[] = []

/** Compresses a body, a large one on another thread, unless it grows by that. */
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
