/** The limits of one receive. `messageBytes` is the maximum size of a message on the server. */
export interface PullLimits {
  readonly limit: number
  readonly maxBytes: number
  readonly messageBytes: number
}

/** Maximum number of messages that are requested on the basis of the average size. */
const maxEstimated = 256

/**
 * Calculates how many messages to request per pull, so that the bytes of a receive exceed their limit only slightly.
 *
 * `max_bytes` of a pull request is not an alternative: on servers of version 2.9, a redelivered message that is too large
 * loses its delivery count and blocks the messages after it.
 */
export class PullSizer {
  readonly #limits: PullLimits
  #events = 0
  #bytes = 0

  constructor(limits: PullLimits) {
    this.#limits = limits
  }

  /** Returns the number of messages to request next; 0 if the limits are reached. The first request is at least 1. */
  next(): number {
    const { limit, maxBytes, messageBytes } = this.#limits
    if (maxBytes === Infinity) return limit - this.#events
    const remaining = maxBytes - this.#bytes
    if (this.#events > 0 && !(remaining > 0)) return 0
    const guaranteed = Math.floor(remaining / messageBytes) || 0
    const estimated = Math.min(
      maxEstimated,
      this.#events * 2,
      Math.floor((remaining * this.#events) / this.#bytes) || 0,
    )
    return Math.min(limit - this.#events, Math.max(1, guaranteed, estimated))
  }

  record(messages: readonly { readonly data: Uint8Array }[]): void {
    this.#events += messages.length
    for (const { data } of messages) this.#bytes += data.length
  }
}
