import { createHash, hash } from 'node:crypto'
import type { ContentPart, DigestEncoding, HmacAlgorithm } from './crypto.ts'

// HMAC from two one-call hashes: creating the object of `createHmac` takes as long as hashing a kilobyte. Node creates a
// digest in the encoding `binary` (one character per byte) faster than a buffer.

const blockBytes = { sha1: 64, sha256: 64, sha512: 128 } as const
const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const

/** Longer content is hashed without a copy, since the copy would take longer than creating an object. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024)

/** @see RFC 2104 */
export function prepareHmac(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  key: ContentPart,
): (content: readonly ContentPart[]) => string {
  const block = createKeyBlock(algorithm, key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.alloc(block.length + digestBytes[algorithm])
  outer.set(block.map((byte) => byte ^ 0x5c))
  return (content) => {
    outer.write(innerHash(algorithm, inner, content), block.length, 'latin1')
    return hash(algorithm, outer, encoding)
  }
}

/** Returns the key in one block of the hash. A longer key is hashed. The block is not in the shared pool of buffers. */
function createKeyBlock(algorithm: HmacAlgorithm, key: ContentPart): Uint8Array {
  const block = Buffer.alloc(blockBytes[algorithm])
  if (Buffer.byteLength(key) > block.length) block.write(hash(algorithm, key, 'binary'), 'latin1')
  else if (typeof key === 'string') block.write(key)
  else block.set(key)
  return block
}

function innerHash(algorithm: HmacAlgorithm, pad: Uint8Array, content: readonly ContentPart[]): string {
  const end = copyParts(content, pad.length)
  if (end === undefined) {
    const computation = createHash(algorithm).update(pad)
    for (const part of content) computation.update(part)
    return computation.digest('binary')
  }
  try {
    scratch.set(pad)
    return hash(algorithm, scratch.subarray(0, end), 'binary')
  } finally {
    // The pad reveals the key.
    scratch.fill(0, 0, pad.length)
  }
}

/** Copies the parts into the scratch memory. Returns the end offset, or undefined when the parts do not fit. */
function copyParts(content: readonly ContentPart[], start: number): number | undefined {
  let end = start
  for (const part of content) {
    if (typeof part === 'string') {
      // A UTF-16 code unit has at most 3 bytes in UTF-8.
      if (end + part.length * 3 > scratch.length) return undefined
      end += scratch.write(part, end)
    } else {
      // node:crypto rejects other types.
      if (!(part instanceof Uint8Array) || end + part.length > scratch.length) return undefined
      scratch.set(part, end)
      end += part.length
    }
  }
  return end
}
