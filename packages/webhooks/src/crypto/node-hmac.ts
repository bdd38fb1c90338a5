import { createHash, hash } from 'node:crypto'
import type { ContentPart, DigestEncoding, HmacAlgorithm } from './crypto.ts'

// HMAC by its definition, over hashes that are one call each: to make the object of a `createHmac` takes as long as to
// hash a kilobyte. In `binary`, a digest is text of one character a byte, which is made faster than a buffer is.

const blockBytes = { sha1: 64, sha256: 64, sha512: 128 } as const
const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const

/** Longer content is hashed where it lies: to copy it would take longer than to make an object. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024)

/** @see RFC 2104 */
export function hmacOf(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  key: ContentPart,
): (content: readonly ContentPart[]) => string {
  const block = blockOf(algorithm, key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.alloc(block.length + digestBytes[algorithm])
  outer.set(block.map((byte) => byte ^ 0x5c))
  return (content) => {
    outer.write(innerHash(algorithm, inner, content), block.length, 'latin1')
    return hash(algorithm, outer, encoding)
  }
}

/** The key in a block of the hash; itself hashed, where it is longer. None of it in memory that buffers share. */
function blockOf(algorithm: HmacAlgorithm, key: ContentPart): Uint8Array {
  const block = Buffer.alloc(blockBytes[algorithm])
  if (Buffer.byteLength(key) > block.length) block.write(hash(algorithm, key, 'binary'), 'latin1')
  else if (typeof key === 'string') block.write(key)
  else block.set(key)
  return block
}

function innerHash(algorithm: HmacAlgorithm, pad: Uint8Array, content: readonly ContentPart[]): string {
  const end = copied(content, pad.length)
  if (end === undefined) {
    const computation = createHash(algorithm).update(pad)
    for (const part of content) computation.update(part)
    return computation.digest('binary')
  }
  try {
    scratch.set(pad)
    return hash(algorithm, scratch.subarray(0, end), 'binary')
  } finally {
    // The pad is as good as the key, and is not to be found here when that is gone.
    scratch.fill(0, 0, pad.length)
  }
}

/** Puts the parts one after another into the scratch memory; where they end, or undefined when they do not fit. */
function copied(content: readonly ContentPart[], start: number): number | undefined {
  let end = start
  for (const part of content) {
    if (typeof part === 'string') {
      // No character of UTF-16 has more bytes in UTF-8.
      if (end + part.length * 3 > scratch.length) return undefined
      end += scratch.write(part, end)
    } else {
      // What is neither is left to node:crypto, which refuses it.
      if (!(part instanceof Uint8Array) || end + part.length > scratch.length) return undefined
      scratch.set(part, end)
      end += part.length
    }
  }
  return end
}
