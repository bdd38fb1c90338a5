import { KeyObject, type webcrypto } from 'node:crypto'
import type { UsableKey } from './key-types.ts'

const nodeKeys = new WeakMap<UsableKey, KeyObject | undefined>()

/**
 * Returns the `KeyObject` of a verification key; undefined on runtimes without conversion, and for a short RSA key, which jose
 * rejects.
 */
export function getNodeKey(key: UsableKey): KeyObject | undefined {
  if (!nodeKeys.has(key)) nodeKeys.set(key, toNodeKey(key))
  return nodeKeys.get(key)
}

function toNodeKey(key: UsableKey): KeyObject | undefined {
  try {
    const cryptoKey = key as webcrypto.CryptoKey
    const nodeKey = KeyObject.from(cryptoKey)
    // workerd cannot verify with the result, and cannot convert it back.
    nodeKey.toCryptoKey(cryptoKey.algorithm, true, ['verify'])
    const { modulusLength = minRsaBits } = nodeKey.asymmetricKeyDetails ?? {}
    return modulusLength < minRsaBits ? undefined : nodeKey
  } catch {
    return undefined
  }
}

/** RFC 7518, section 3.3. */
const minRsaBits = 2048

/** Converts a `KeyObject` to a `CryptoKey` where the runtime can. */
export function usableKey(
  key: KeyObject,
  algorithm: Parameters<KeyObject['toCryptoKey']>[0],
  uses: readonly webcrypto.KeyUsage[],
): UsableKey {
  try {
    const usable = key.toCryptoKey(algorithm, key.type === 'public', uses)
    nodeKeys.set(usable, key)
    return usable
  } catch {
    // workerd cannot convert; jose then imports bytes for each use, and a JWK once.
    return key.type === 'secret' ? key.export() : key.export({ format: 'jwk' })
  }
}
