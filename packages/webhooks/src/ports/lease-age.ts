/**
 * Creates a function that starts the measurement of a lease. The age is the larger of two clocks: the system clock can be
 * set back, and the monotonic clock stops while a machine sleeps.
 */
export function leaseAges(now: () => number, monotonicNow = () => performance.now()): () => LeaseAge {
  return () => {
    const [startedAt, startedTicks] = [now(), monotonicNow()]
    return () => Math.max(now() - startedAt, monotonicNow() - startedTicks)
  }
}

/** Returns the milliseconds since the start of a lease. */
export type LeaseAge = () => number
