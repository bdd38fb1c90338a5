/** The 12-bit counter starts in the lower half: a millisecond has at least 2,048 ids. */
const counterStarts = 0x800
const counterLimit = 0x1000

/**
 * Creates a generator of increasing UUIDs of version 7, also within a millisecond and when the clock is set back: 48 bits of
 * time, 12 bits of a counter with a random start, 62 random bits.
 *
 * @param now milliseconds since the epoch
 *
 * @see RFC 9562, sections 5.7 and 6.2 (method 1)
 */
export function uuidV7(now: () => number): () => string {
  let time = -1
  let counter = 0

  return () => {
    // The variant and 62 random bits of version 4 have the same positions in version 7.
    const random = crypto.randomUUID()
    const at = Math.floor(now())
    counter++
    if (at > time || counter === counterLimit) {
      // An exhausted counter continues in the next millisecond.
      time = Math.max(at, time + 1)
      counter = parseInt(random.slice(0, 3), 16) % counterStarts
    }
    const timeHex = time.toString(16).padStart(12, '0')
    const counterHex = counter.toString(16).padStart(3, '0')
    return `${timeHex.slice(0, 8)}-${timeHex.slice(8)}-7${counterHex}-${random.slice(19)}`
  }
}
