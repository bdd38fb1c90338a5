import type { KeyObject, webcrypto } from 'node:crypto'
import type { UsableKey } from './key-types.ts'

const secretKeys = new WeakMap<UsableKey, KeyObject>()

/** Returns the `KeyObject` of a secret of a key ring; undefined for other keys, and on runtimes without conversion. */
export function getSecretKey(key: UsableKey): KeyObject | undefined {
  return secretKeys.get(key)
}

/** Converts a `KeyObject` to a `CryptoKey` where the runtime can. */
export function usableKey(
  key: KeyObject,
  algorithm: Parameters<KeyObject['toCryptoKey']>[0],
  uses: readonly webcrypto.KeyUsage[],
): UsableKey {
  try {
    const usable = key.toCryptoKey(algorithm, key.type === 'public', uses)
    if (key.type === 'secret') secretKeys.set(usable, key)
    return usable
  } catch {
    // workerd cannot convert; jose then imports bytes for each use, and a JWK once.
    return key.type === 'secret' ? key.export() : key.export({ format: 'jwk' })
  }
}
