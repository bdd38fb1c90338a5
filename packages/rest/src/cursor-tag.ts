import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'

/** Half of the hash's length, the least that RFC 2104 section 5 recommends for a truncated tag. */
export const tagLength = 16

const blockLength = 64
const hashLength = 32

/** Of an ordinary binding and payload; memory for longer ones is not kept. */
const keptLength = 4096

/** The tag of a payload that is bound to a text: a character of Latin-1 for each byte of it. */
export type CursorTag = (bound: string, payload: Uint8Array) => string

/**
 * HMAC-SHA256, cut to {@link tagLength}.
 *
 * By its definition, over hashes that are one call each and answer with text: to make the objects of a `createHmac`
 * takes longer than all else that there is to do for a cursor.
 *
 * @see RFC 2104
 */
export function cursorTag(key: Uint8Array): CursorTag {
  const block = Buffer.alloc(blockLength)
  block.set(key.length > blockLength ? hash('sha256', key, 'buffer') : key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.alloc(blockLength + hashLength)
  outer.set(block.map((byte) => byte ^ 0x5c))
  const kept = Buffer.alloc(keptLength)
  return (bound, payload) => {
    // No character of UTF-16 has more than three bytes in UTF-8.
    const mostLength = blockLength + bound.length * 3 + payload.length
    const signed = mostLength > keptLength ? Buffer.alloc(mostLength) : kept
    signed.set(inner)
    const at = blockLength + signed.write(bound, blockLength)
    signed.set(payload, at)
    outer.write(hash('sha256', signed.subarray(0, at + payload.length), 'binary'), blockLength, 'latin1')
    return hash('sha256', outer, 'binary').slice(0, tagLength)
  }
}
