import { createHash } from 'node:crypto'

/** Bytes in a block of SHA-256. */
const block = 64

/**
 * Signs texts that begin alike with HMAC-SHA256, in hexadecimal. What the common beginning does to the hash is worked out
 * once: a load generator that signs every body in full would take as long as the server that it loads.
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
