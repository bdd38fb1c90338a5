import { joinedBytes } from '../crypto/bytes.ts'

/** Chunks of this size are kept as they are; what surrounds a smaller one would take more memory than it does. */
const keptBytes = 1024
const largestJoined = 64 * 1024

/** Puts a chunk of a body behind its parts, in memory of about their number of bytes whatever the chunks. */
export function addChunk(parts: Uint8Array[], chunk: Uint8Array): void {
  let part = chunk
  if (chunk.byteLength < keptBytes) {
    // A copy: the chunk may be a small view of a large block, and its memory be used again.
    part = new Uint8Array(chunk)
    // Joined with those in front that are no larger: even of a body that comes byte by byte there are a few parts only.
    for (let last; (last = parts.at(-1)) && last.length <= part.length && part.length < largestJoined;) {
      parts.pop()
      part = joinedBytes([last, part])
    }
  }
  parts.push(part)
}
