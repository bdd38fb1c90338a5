import type { MaybePromise } from './ports.ts'
import { providerUnavailable } from './refusals.ts'
import { within } from './timeout.ts'

/** Longer than the keys of a provider are waited for, whose own error says more. */
export const providerMs = 10_000

/**
 * What a provider's own code promises, for as long as one waits for it: whoever waits keeps a body in memory.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when the time is up
 */
export const inTime = <T>(value: MaybePromise<T>): MaybePromise<T> => within(providerMs, value, tookTooLong)

const tookTooLong = (reason: DOMException) =>
  providerUnavailable('This provider cannot answer now: try again', reason)
