import { KeyObject, type webcrypto } from 'node:crypto'
import type { UsableKey } from './key-types.ts'
import type { SigningAlgorithm } from './signing-key.ts'

const nodeKeys = new WeakMap<UsableKey, NodeKey | undefined>()

interface NodeKey {
  readonly alg: SigningAlgorithm
  readonly key: KeyObject
}

/**
 * Returns the `KeyObject` of a verification key; undefined on runtimes without conversion, and for a key that does not fit the
 * algorithm, which jose rejects.
 */
export function getNodeKey(alg: SigningAlgorithm, key: UsableKey): KeyObject | undefined {
  if (!nodeKeys.has(key)) nodeKeys.set(key, toNodeKey(key as webcrypto.CryptoKey))
  const nodeKey = nodeKeys.get(key)
  return nodeKey?.alg === alg ? nodeKey.key : undefined
}

function toNodeKey(cryptoKey: webcrypto.CryptoKey): NodeKey | undefined {
  try {
    const alg = readAlgorithm(cryptoKey)
    const key = KeyObject.from(cryptoKey)
    // workerd cannot verify with the result, and cannot convert it back.
    key.toCryptoKey(cryptoKey.algorithm, true, ['verify'])
    return alg && { alg, key }
  } catch {
    return undefined
  }
}

function readAlgorithm({ algorithm, usages }: webcrypto.CryptoKey): SigningAlgorithm | undefined {
  const { name, hash, namedCurve, modulusLength } = algorithm as webcrypto.KeyAlgorithm &
    Partial<webcrypto.RsaHashedKeyAlgorithm & webcrypto.EcKeyAlgorithm>
  if (!usages.includes('verify')) return undefined
  if (name === 'Ed25519') return 'EdDSA'
  if (name === 'ECDSA' && namedCurve === 'P-256') return 'ES256'
  // RFC 7518, section 3.3, requires 2048 bits.
  const isRsa = name === 'RSASSA-PKCS1-v1_5' && (modulusLength ?? 0) >= 2048
  return isRsa && hash?.name === 'SHA-256' ? 'RS256' : undefined
}

/** Converts a `KeyObject` to a `CryptoKey` where the runtime can. */
export function usableKey(
  key: KeyObject,
  algorithm: Parameters<KeyObject['toCryptoKey']>[0],
  uses: readonly webcrypto.KeyUsage[],
): UsableKey {
  try {
    const usable = key.toCryptoKey(algorithm, key.type === 'public', uses)
    if (key.type === 'secret') nodeKeys.set(usable, { alg: 'HS256', key })
    return usable
  } catch {
    // workerd cannot convert; jose then imports bytes for each use, and a JWK once.
    return key.type === 'secret' ? key.export() : key.export({ format: 'jwk' })
  }
}
