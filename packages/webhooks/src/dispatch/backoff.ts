export interface BackoffOptions {
  /** The maximum of the first delay in milliseconds; it doubles with each attempt. @default 1,000 */
  readonly baseMs?: number
  /** The maximum of all delays in milliseconds. @default 3,600,000 (an hour) */
  readonly maximumMs?: number
  /**
   * The age in milliseconds at which retries end. Clocks of two machines may differ, so an attempt counts for at most
   * `maximumMs`, or for a minute if that is longer. By default an event has at least 24 attempts.
   *
   * @default 86,400,000 (a day)
   */
  readonly giveUpAfterMs?: number
}

/** The longest duration of an attempt with its claim and its timeout. */
const minuteMs = 60_000

/** Enough to reach the maximum. An exponent of 1,024 gives Infinity, and NaN with a base of 0. */
const mostDoublings = 64

/**
 * Returns the delay after a failed attempt in milliseconds, with full jitter, or undefined when retries end.
 *
 * @param leastMs the shortest delay that the destination asks for; limited by `maximumMs` and by the remaining time, after which
 *   a last attempt follows; ignored unless it is a positive number
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
  // The store sets the due time, and this process measures the age: without the limit, one clock that is a day ahead turns
  // a first failure into a dead letter.
  const mostMs = (attempts + 1) * Math.max(maximumMs, minuteMs)
  const leftMs = giveUpAfterMs - Math.min(ageMs, mostMs)
  if (jittered > leftMs) return undefined
  return asked > leftMs ? Math.floor(leftMs) : Math.max(jittered, asked)
}
