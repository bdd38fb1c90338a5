/** Random bytes of so many ids are drawn at once: asking for them costs more than they do. */
const drawnIds = 256
const bytesPerId = 10

/** A counter of 12 bits begins in its lower half: a millisecond has room for 2,048 ids at least. */
const counterBegins = 0x800
const counterEnds = 0x1000

const hexOf = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Makes UUIDs of version 7 of which each is greater than the one before, also within a millisecond and when the clock
 * is set back: 48 bits of time, 12 of a counter that begins at random, 62 of chance.
 *
 * @param now milliseconds since the epoch
 * @param fill fills an array with bytes that nobody can foretell
 *
 * @see RFC 9562, sections 5.7 and 6.2 (method 1)
 */
export function uuidV7(
  now: () => number,
  fill: (bytes: Uint8Array<ArrayBuffer>) => unknown = (bytes) => crypto.getRandomValues(bytes),
): () => string {
  const drawn = new Uint8Array(drawnIds * bytesPerId)
  let next = drawn.length
  let time = -1
  let counter = 0

  const byte = () => drawn[next++] as number
  const hex = () => hexOf[byte()] as string

  return () => {
    if (next === drawn.length) {
      fill(drawn)
      next = 0
    }
    const begin = ((byte() << 8) | byte()) % counterBegins
    const at = Math.floor(now())
    counter++
    if (at > time || counter === counterEnds) {
      // What a millisecond has no room for is counted in the next.
      time = Math.max(at, time + 1)
      counter = begin
    }
    const timeHex = time.toString(16).padStart(12, '0')
    const counterHex = counter.toString(16).padStart(3, '0')
    const variant = (0x80 | (byte() & 0x3f)).toString(16)
    const chance = hex() + hex() + hex() + hex() + hex() + hex()
    return `${timeHex.slice(0, 8)}-${timeHex.slice(8)}-7${counterHex}-${variant}${hex()}-${chance}`
  }
}
