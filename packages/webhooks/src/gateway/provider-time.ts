import type { MaybePromise } from '../ports/ports.ts'
import { providerUnavailable } from './refusals.ts'
import { within } from '../internal/timeout.ts'

/** Longer than the keys of a provider are waited for, whose own error says more. */
export const providerMs = 10_000

/**
 * What a provider's own code promises, for as long as one waits for it: whoever waits keeps a body in memory.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when the time is up
 */
export function inTime<T>(value: Promise<T>): Promise<T>
export function inTime<T>(value: MaybePromise<T>): MaybePromise<T>
export function inTime<T>(value: MaybePromise<T>): MaybePromise<T> {
  return within(providerMs, value, (reason) =>
    providerUnavailable('This provider cannot answer now: try again', reason),
  )
}
