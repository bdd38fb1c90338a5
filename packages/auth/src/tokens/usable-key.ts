import type { KeyObject, webcrypto } from 'node:crypto'
import type { UsableKey } from './key-types.ts'

/** Imports a key for one use, where the runtime can. */
export function usableKey(
  key: KeyObject,
  algorithm: Parameters<KeyObject['toCryptoKey']>[0],
  uses: readonly webcrypto.KeyUsage[],
): UsableKey {
  try {
    return key.toCryptoKey(algorithm, key.type === 'public', uses)
  } catch {
    // workerd has no such conversion: jose then imports the bytes each time, and a JWK once.
    return key.type === 'secret' ? key.export() : key.export({ format: 'jwk' })
  }
}
