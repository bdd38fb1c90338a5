import { isSallyportError } from '@sallyport/errors'
import type { Delivery } from '../ports/delivery.ts'
import { isThenable } from '../internal/maybe-promise.ts'
import type { MaybePromise, Verification } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'

/** What the gateway learns of a signature beside what the scheme says: what it threw, whose message is not ours. */
export type Verified = Verification & { readonly error?: unknown }

/**
 * A scheme that throws could not read what it was given; the sender is told no more than of any other failure.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when the scheme says that it is misconfigured
 */
export function verify(
  { signature }: AnyProvider,
  delivery: Delivery,
  secrets: readonly string[],
  now: number,
): MaybePromise<Verified> {
  try {
    const verification = signature.verify(delivery, secrets, now)
    return isThenable(verification) ? Promise.resolve(verification).catch(malformed) : verification
  } catch (error) {
    return malformed(error)
  }
}

function malformed(error: unknown): Verified {
  if (isSallyportError(error) && error.code === 'PROVIDER_UNAVAILABLE') throw error
  // Something was thrown, if nothing with it.
  return { verified: false, reason: 'malformed', error: error || {} }
}
