import { withDeadline } from '@sallyport/internal/deadline'
import { providerUnavailable } from '../ports/refusals.ts'

/** The time limit for a provider's own code. The limit for its key lookup is shorter, and reports a more precise error. */
export const providerTimeoutMs = 10_000

/**
 * Limits how long the gateway waits for a provider's own code.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) after the deadline
 */
export function withProviderDeadline<T>(value: Promise<T>): Promise<T> {
  return withDeadline(providerTimeoutMs, value, (timeout) =>
    providerUnavailable('This provider cannot answer now: try again', timeout),
  )
}

/** Remembers work of a provider's own code that uses the body. Returns the work. */
export type TrackWork = <T>(work: Promise<T>) => Promise<T>

/** Tracks the work of a provider: code that has passed its deadline still holds the body in memory. */
export function createWorkTracker() {
  let last: unknown
  const track: TrackWork = (work) => {
    last = work
    return work
  }
  return {
    track,
    /** Calls a function when the last work has settled. */
    whenSettled: (callback: () => void): void => {
      void Promise.resolve(last).then(callback, callback)
    },
  }
}
