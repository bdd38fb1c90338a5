import { createHash } from 'node:crypto'

/** Block size of SHA-256 in bytes. */
const block = 64

/**
 * Returns a function that signs texts with a common prefix with HMAC-SHA256, in hexadecimal. The hash state of the prefix
 * is computed once. Otherwise, the load generator would be as slow as the server.
 *
 * @see RFC 2104
 */
export function prefixSigner(secret: string, prefix: string | Uint8Array): (rest: string) => string {
  const text = Buffer.from(secret)
  const key = Buffer.alloc(block)
  key.set(text.length > block ? createHash('sha256').update(text).digest() : text)
  const inner = createHash('sha256')
    .update(key.map((byte) => byte ^ 0x36))
    .update(prefix)
  const outer = createHash('sha256').update(key.map((byte) => byte ^ 0x5c))
  return (rest) => outer.copy().update(inner.copy().update(rest).digest()).digest('hex')
}
