import { isSallyportError, type SallyportError } from '@sallyport/errors'
import type { MaybePromise } from '../ports/ports.ts'
import { within } from '../internal/timeout.ts'

/** Whether this is a secret at all: what is empty anybody has, and what is no text would be read as one (`null`). */
export const isSecret = (secret: unknown): secret is string => typeof secret === 'string' && secret !== ''

/** What could be made of the secrets; `unusable` is why one of them could not be read. */
export interface Keys<Key> {
  readonly usable: readonly Key[]
  readonly unusable: SallyportError | undefined
}

/**
 * Reads every secret. What is none is left out. One that is misconfigured does not keep the others from verifying, and is
 * thrown only once none of them did: a service that signs with it tries again.
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

/** As long as a source of secrets may take. */
const finderMs = 5000

/**
 * What a provider's own finder of keys finds, for as long as one waits for it: whoever waits keeps a body in memory.
 *
 * @throws DOMException `TimeoutError` when the time is up
 */
export const inTime = <Found>(finding: MaybePromise<Found>): MaybePromise<Found> => within(finderMs, finding)

/** @throws TypeError when the secret is empty, or no text */
export function refuseEmpty(secret: string): void {
  if (!isSecret(secret)) throw new TypeError('The secret is empty')
}
