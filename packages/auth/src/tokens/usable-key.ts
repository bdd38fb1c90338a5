import { KeyObject, type webcrypto } from 'node:crypto'
import type { UsableKey } from './key-types.ts'
import type { VerificationAlgorithm } from './verification-keys.ts'

const nodeKeys = new WeakMap<UsableKey, NodeKey | undefined>()

interface NodeKey {
  readonly alg: VerificationAlgorithm
  readonly key: KeyObject
}

/**
 * Returns the `KeyObject` of a verification key; undefined on runtimes without conversion, and for a key that does not fit the
 * algorithm, which jose rejects.
 */
export function getNodeKey(alg: VerificationAlgorithm, key: UsableKey): KeyObject | undefined {
  if (!nodeKeys.has(key)) nodeKeys.set(key, toNodeKey(key as webcrypto.CryptoKey))
  const nodeKey = nodeKeys.get(key)
  return nodeKey?.alg === (alg === 'EdDSA' ? 'Ed25519' : alg) ? nodeKey.key : undefined
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

function readAlgorithm({ algorithm, usages }: webcrypto.CryptoKey): VerificationAlgorithm | undefined {
  const { name, hash, namedCurve, modulusLength } = algorithm as webcrypto.KeyAlgorithm &
    Partial<webcrypto.RsaHashedKeyAlgorithm & webcrypto.EcKeyAlgorithm>
  if (!usages.includes('verify')) return undefined
  if (name === 'Ed25519') return 'Ed25519'
  if (name === 'ECDSA') return curves.get(namedCurve)
  // RFC 7518, section 3.3, requires 2048 bits.
  if ((modulusLength ?? 0) < 2048) return undefined
  if (name === 'RSA-PSS') return hash?.name === 'SHA-256' ? 'PS256' : undefined
  return name === 'RSASSA-PKCS1-v1_5' ? hashes.get(hash?.name) : undefined
}

const curves: ReadonlyMap<string | undefined, VerificationAlgorithm> = new Map([
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
  ['P-521', 'ES512'],
])

const hashes: ReadonlyMap<string | undefined, VerificationAlgorithm> = new Map([
  ['SHA-256', 'RS256'],
  ['SHA-384', 'RS384'],
  ['SHA-512', 'RS512'],
])

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
