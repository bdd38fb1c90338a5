/** What one receive is given at most; `messageBytes` is how large a message can be at all. */
export interface Room {
  readonly limit: number
  readonly maxBytes: number
  readonly messageBytes: number
}

/** Messages of one pull that may turn out larger than those before. */
const guessed = 256

/**
 * How many messages to pull at once, of sizes that are not known before, so that little goes past a bound of bytes.
 *
 * Not by `max_bytes` of a pull: a message that was delivered before and is too large loses its count on servers of 2.9,
 * and others are not given out any more.
 */
export class Portions {
  readonly #room: Room
  #events = 0
  #bytes = 0

  constructor(room: Room) {
    this.#room = room
  }

  /** Messages to ask for now; 0 when there is no room for more. The first is always one at least. */
  next(): number {
    const { limit, maxBytes, messageBytes } = this.#room
    if (maxBytes === Infinity) return limit - this.#events
    const left = maxBytes - this.#bytes
    if (this.#events > 0 && !(left > 0)) return 0
    const certain = Math.floor(left / messageBytes) || 0
    const likely = Math.min(guessed, this.#events * 2, Math.floor((left * this.#events) / this.#bytes) || 0)
    return Math.min(limit - this.#events, Math.max(1, certain, likely))
  }

  took(messages: readonly { readonly data: Uint8Array }[]): void {
    this.#events += messages.length
    for (const { data } of messages) this.#bytes += data.length
  }
}
