/** A larger difference between two clocks is a jump, not a drift. */
const jumpMs = 60_000

/**
 * Measures how long a clock has run steadily: since its first reading or its last jump, in either direction, by comparison
 * with a monotonic clock. A store asks it before it deletes by age.
 *
 * @param monotonicNow milliseconds by a clock that is never set. @default performance.now
 * @returns takes a reading of the clock, in milliseconds since the epoch, and returns the steady time in milliseconds
 */
export function createSteadyClock(monotonicNow = () => performance.now()): (now: number) => number {
  let offset: number | undefined
  let since = 0
  return (now) => {
    const ticks = monotonicNow()
    if (offset === undefined || Math.abs(now - ticks - offset) > jumpMs) since = ticks
    offset = now - ticks
    return ticks - since
  }
}
