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
