import { isSallyportError, type SallyportError } from '@sallyport/errors'
import type { MaybePromise } from '../ports/ports.ts'
import { withDeadline } from '@sallyport/internal/deadline'

/** Reports whether a value is a usable secret: a string that is not empty. */
export const isSecret = (secret: unknown): secret is string => typeof secret === 'string' && secret !== ''

/** The keys of the usable secrets, and the error of an unusable secret. */
export interface Keys<Key> {
  readonly usable: readonly Key[]
  readonly unusable: SallyportError | undefined
}

/**
 * Reads the keys of all secrets. Empty secrets are skipped. The caller throws `unusable` only when no usable key verifies,
 * so that a service that signs with the unusable secret sends again.
 */
export function readKeys<Key>(secrets: readonly string[], read: (secret: string) => Key): Keys<Key> {
  const usable: Key[] = []
  let unusable: SallyportError | undefined
  for (const secret of secrets) {
    if (!isSecret(secret)) continue
    try {
      usable.push(read(secret))
    } catch (error) {
      if (!isSallyportError(error)) throw error
      unusable ??= error
    }
  }
  return { usable, unusable }
}

/** The same timeout as a source of secrets. */
const lookupTimeoutMs = 5000

/**
 * Limits how long a key lookup may take: the request holds a body in memory.
 *
 * @throws DOMException `TimeoutError`
 */
export const withLookupTimeout = <Found>(finding: MaybePromise<Found>): MaybePromise<Found> =>
  withDeadline(lookupTimeoutMs, finding)

/** @throws TypeError when the secret is empty or not a string */
export function requireSecret(secret: string): void {
  if (!isSecret(secret)) throw new TypeError('The secret is empty')
}
