/**
 * Counts the milliseconds from each call on, for a lease: by the one of two clocks that says more. The one may be set
 * back, the other stands still while a machine sleeps.
 */
export function leaseAges(now: () => number, monotonicNow = () => performance.now()): () => LeaseAge {
  return () => {
    const [startedAt, startedTicks] = [now(), monotonicNow()]
    return () => Math.max(now() - startedAt, monotonicNow() - startedTicks)
  }
}

/** Milliseconds since a lease was asked for. */
export type LeaseAge = () => number
