import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'

/** In bytes: half of the hash, the minimum that RFC 2104 section 5 recommends for a truncated tag. */
export const tagLength = 16

const blockLength = 64
const hashLength = 32

/** In bytes: the size of the reused buffer, enough for an ordinary binding and payload. */
const bufferLength = 4096

/** Computes the tag of a payload and its context, as a Latin-1 string with one character per byte. */
export type CursorTag = (context: string, payload: Uint8Array) => string

/**
 * Creates a function that computes HMAC-SHA256, truncated to {@link tagLength} bytes.
 *
 * The HMAC is composed of two one-shot hashes because `createHmac` takes twice as long as both for input of this size.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2104
 */
export function cursorTag(key: Uint8Array): CursorTag {
  const block = Buffer.alloc(blockLength)
  block.set(key.length > blockLength ? hash('sha256', key, 'buffer') : key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.alloc(blockLength + hashLength)
  outer.set(block.map((byte) => byte ^ 0x5c))
  const buffer = Buffer.alloc(bufferLength)
  return (context, payload) => {
    // UTF-8 takes at most three bytes per UTF-16 unit.
    const mostLength = blockLength + context.length * 3 + payload.length
    const signed = mostLength > bufferLength ? Buffer.alloc(mostLength) : buffer
    signed.set(inner)
    const at = blockLength + signed.write(context, blockLength)
    signed.set(payload, at)
    outer.write(hash('sha256', signed.subarray(0, at + payload.length), 'binary'), blockLength, 'latin1')
    return hash('sha256', outer, 'binary').slice(0, tagLength)
  }
}
