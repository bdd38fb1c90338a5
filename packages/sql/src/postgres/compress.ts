import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { isWorthCompressing, storedBody, zstdOptions, type StoredBody } from '../stored-body.ts'

const zstd = promisify(zstdCompress)

// Node's threads are as many. A compression that only waits for one of them would hold its memory meanwhile.
let free = 4
const waiting: (() => void)[] = []

/** Compresses a body on another thread, unless it grows by that. */
export async function compress(body: Uint8Array): Promise<StoredBody> {
  if (!isWorthCompressing(body)) return storedBody(body)
  if (free > 0) free--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return storedBody(body, await zstd(body, zstdOptions))
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}
