/** The number of ids per call of the random generator, since a call costs more than the bytes. */
const idsPerFill = 256
const bytesPerId = 10

/** The 12-bit counter starts in the lower half: a millisecond has at least 2,048 ids. */
const counterStarts = 0x800
const counterLimit = 0x1000

const hexBytes = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Creates a generator of increasing UUIDs of version 7, also within a millisecond and when the clock is set back: 48 bits of
 * time, 12 bits of a counter with a random start, 62 random bits.
 *
 * @param now milliseconds since the epoch
 * @param fill fills an array with cryptographically random bytes
 *
 * @see RFC 9562, sections 5.7 and 6.2 (method 1)
 */
export function uuidV7(
  now: () => number,
  fill: (bytes: Uint8Array<ArrayBuffer>) => unknown = (bytes) => crypto.getRandomValues(bytes),
): () => string {
  const drawn = new Uint8Array(idsPerFill * bytesPerId)
  let next = drawn.length
  let time = -1
  let counter = 0

  const byte = () => drawn[next++] as number
  const hex = () => hexBytes[byte()] as string

  return () => {
    if (next === drawn.length) {
      fill(drawn)
      next = 0
    }
    const begin = ((byte() << 8) | byte()) % counterStarts
    const at = Math.floor(now())
    counter++
    if (at > time || counter === counterLimit) {
      // An exhausted counter continues in the next millisecond.
      time = Math.max(at, time + 1)
      counter = begin
    }
    const timeHex = time.toString(16).padStart(12, '0')
    const counterHex = counter.toString(16).padStart(3, '0')
    const variant = (0x80 | (byte() & 0x3f)).toString(16)
    const random = hex() + hex() + hex() + hex() + hex() + hex()
    return `${timeHex.slice(0, 8)}-${timeHex.slice(8)}-7${counterHex}-${variant}${hex()}-${random}`
  }
}
