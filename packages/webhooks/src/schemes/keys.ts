import { isSallyportError, type SallyportError } from '@sallyport/errors'

/** What could be made of the secrets; `unusable` is why one of them could not be read. */
export interface Keys<Key> {
  readonly usable: readonly Key[]
  readonly unusable?: SallyportError
}

/**
 * Reads every secret. Empty ones are left out: anybody could sign with them. One that is misconfigured does not keep
 * the others from verifying, and is thrown only once none of them did: a service that signs with it tries again.
 */
export function readKeys<Key>(secrets: readonly string[], read: (secret: string) => Key): Keys<Key> {
  const usable: Key[] = []
  let unusable: SallyportError | undefined
  for (const secret of secrets) {
    if (secret === '') continue
    try {
      usable.push(read(secret))
    } catch (error) {
      if (!isSallyportError(error)) throw error
      unusable ??= error
    }
  }
  return unusable === undefined ? { usable } : { usable, unusable }
}

/** @throws TypeError when the secret is empty */
export function refuseEmpty(secret: string): void {
  if (secret === '') throw new TypeError('An empty secret signs nothing: anybody could compute it')
}
