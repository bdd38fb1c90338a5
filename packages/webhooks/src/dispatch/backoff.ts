export interface BackoffOptions {
  /** The longest first wait in milliseconds; it doubles with every attempt. @default 1,000 */
  readonly baseMs?: number
  /** No wait is longer. @default 3,600,000 (an hour) */
  readonly maximumMs?: number
  /**
   * Milliseconds after which a retry is no longer made. They are told by the clocks of two machines, so each attempt counts
   * for `maximumMs` at most, or for a minute where that is longer: by default an event is tried at least 24 times.
   *
   * @default 86,400,000 (a day)
   */
  readonly giveUpAfterMs?: number
}

/** What an attempt takes with a short wait: it has to be claimed, and may hang. */
const minuteMs = 60_000

/** Enough for any wait to be the longest; of Infinity, no wait at all would make NaN. */
const mostDoublings = 64

/**
 * Milliseconds to wait after a failed attempt, with full jitter, or undefined when the time is up.
 *
 * @param leastMs what the other side asks for; heeded as far as the longest wait and until the time is up, when a last attempt
 *   is made, and not at all when it is no number
 *
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function retryDelay(
  attempts: number,
  ageMs: number,
  random: () => number,
  { baseMs = 1000, maximumMs = 3_600_000, giveUpAfterMs = 86_400_000 }: BackoffOptions = {},
  leastMs = 0,
): number | undefined {
  const jittered = Math.floor(random() * Math.min(maximumMs, baseMs * 2 ** Math.min(attempts, mostDoublings)))
  const asked = leastMs > 0 ? Math.ceil(Math.min(maximumMs, leastMs)) : 0
  // No more time than this can have gone into attempts, whatever a clock that is set wrong says.
  const mostMs = (attempts + 1) * Math.max(maximumMs, minuteMs)
  const leftMs = giveUpAfterMs - Math.min(ageMs, mostMs)
  if (jittered > leftMs) return undefined
  return asked > leftMs ? Math.floor(leftMs) : Math.max(jittered, asked)
}
