import { isSallyportError, type SallyportError } from '@sallyport/errors'
import { withDeadline } from '@sallyport/internal/deadline'
import { decodeText, encodeBytes, type DigestEncoding } from '../crypto/encoding.ts'
import { providerUnavailable } from '../ports/refusals.ts'
import type { MaybePromise } from '../ports/ports.ts'

/** Reports whether a value is a usable secret: a string with more than white space. */
export const isSecret = (secret: unknown): secret is string =>
  typeof secret === 'string' && secret.trim() !== ''

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

/**
 * Creates a random secret of 32 bytes in hexadecimal.
 *
 * @param key decodes the key of a secret; the result is base64 if `key` accepts base64
 */
export function createRandomSecret(key?: (secret: string) => unknown): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const hexadecimal = encodeBytes('hex', bytes)
  if (key === undefined) return hexadecimal
  try {
    const base64 = encodeBytes('base64', bytes)
    key(base64)
    return base64
  } catch {
    return hexadecimal
  }
}

/** A gateway has few keys. The limit matters for rotations. */
const maxKeys = 64

/** Caches imported keys: an import takes a large part of the time of a signature. */
export function createKeyCache<Key>(): (id: string, load: () => Key) => Key {
  const keys = new Map<string, Key>()
  return (id, load) => {
    const known = keys.get(id)
    if (known !== undefined) return known
    const key = load()
    if (keys.size >= maxKeys) keys.delete(keys.keys().next().value as string)
    keys.set(id, key)
    return key
  }
}

/**
 * Decodes the key bytes of a secret in standard base64, with an optional prefix.
 *
 * @param prefix the optional prefix of a secret; @default ''
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) from the scheme, when a secret is not canonical, padded base64
 *
 * @example
 * ```ts
 * import { base64Secret, hmac } from '@sallyport/webhooks'
 *
 * const signature = hmac({
 *   algorithm: 'sha256',
 *   encoding: 'base64',
 *   header: 'x-signature',
 *   key: base64Secret('whsec_'),
 * })
 * ```
 */
export function base64Secret(prefix = ''): (secret: string) => Uint8Array {
  return (secret) => decodedSecret('base64', prefix, secret)
}

/**
 * Decodes the key bytes of a secret in hexadecimal. Letters can have either case.
 *
 * @param prefix the optional prefix of a secret; @default ''
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) from the scheme, when a secret is not hexadecimal
 */
export function hexSecret(prefix = ''): (secret: string) => Uint8Array {
  return (secret) => decodedSecret('hex', prefix, secret)
}

function decodedSecret(encoding: DigestEncoding, prefix: string, secret: string): Uint8Array {
  const rest = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const bytes = decodeText(encoding, encoding === 'hex' ? rest.toLowerCase() : rest)
  if (bytes === undefined || bytes.every((byte) => byte === 0)) {
    const afterPrefix = prefix === '' ? '' : ` after "${prefix}"`
    throw providerUnavailable(
      `A secret of this provider is not ${encoding}${afterPrefix}: configure the secret as the service shows it`,
    )
  }
  return bytes
}
