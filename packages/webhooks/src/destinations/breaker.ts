/** Stops the requests to a destination that is unavailable. */
export interface Breaker {
  readonly isClosed: boolean
  /** How long the breaker stays open, in milliseconds; 0 when it is closed, and when it lets a probe through. */
  readonly openMs: number
  /**
   * Counts a result. Returns the change that it made.
   *
   * @param retryAfterMs how long the destination asks to wait; at most 10 minutes count
   */
  count(isUnavailable: boolean, retryAfterMs?: number): 'opened' | 'closed' | undefined
}

interface BreakerOptions {
  /** The results in a row that open the breaker. */
  readonly failures: number
  /** Milliseconds of a clock that never goes back. */
  readonly ticks: () => number
  readonly random: () => number
}

/** How long the breaker is open before a probe. The time doubles with each probe that fails. */
const pauseMs = { least: 2000, most: 60_000 }
const mostAskedMs = 600_000

/** Creates a breaker that opens after results in a row that say `unavailable`, and closes after one that does not. */
export function createBreaker({ failures, ticks, random }: BreakerOptions): Breaker {
  let failed = 0
  let openings = 0
  let opensAt = 0
  const getOpenMs = () => (openings === 0 ? 0 : Math.max(0, opensAt - ticks()))

  function open(retryAfterMs: number): 'opened' {
    const fullMs = Math.min(pauseMs.most, pauseMs.least * 2 ** openings++)
    opensAt = ticks() + Math.max((fullMs * (1 + random())) / 2, Math.min(retryAfterMs, mostAskedMs))
    return 'opened'
  }

  return {
    get isClosed() {
      return openings === 0
    },
    get openMs() {
      return getOpenMs()
    },
    count(isUnavailable, retryAfterMs = 0) {
      if (!isUnavailable) {
        const wasOpen = openings > 0
        failed = openings = 0
        return wasOpen ? 'closed' : undefined
      }
      // A request that began before the breaker opened says nothing new.
      if (openings > 0) return getOpenMs() === 0 ? open(retryAfterMs) : undefined
      return ++failed >= failures ? open(retryAfterMs) : undefined
    },
  }
}
