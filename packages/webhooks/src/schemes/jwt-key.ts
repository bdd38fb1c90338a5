import { errors, importPKCS8, importSPKI, type CryptoKey, type JWTVerifyGetKey } from 'jose'
import { providerUnavailable } from '../gateway/refusals.ts'
import { withLookupTimeout } from './keys.ts'

/**
 * Reports whether the algorithms use a shared secret.
 *
 * @throws TypeError for a mix of shared and public keys: a sender could use the public key as a shared secret
 */
export function areShared(algorithms: readonly string[]): boolean {
  const shared = algorithms.filter((algorithm) => /^HS\d+$/.test(algorithm))
  if (algorithms.length === 0 || algorithms.includes('none')) {
    throw new TypeError('A token is signed: name the algorithms that are accepted')
  }
  if (shared.length > 0 && shared.length < algorithms.length) {
    throw new TypeError('Algorithms with shared and with public keys do not go together')
  }
  return shared.length > 0
}

/** Reads the key from a secret. The key id of the token is ignored. */
export function keyInSecret(secret: string, isShared: boolean): JWTVerifyGetKey {
  return async ({ alg }) => {
    if (isShared) return new TextEncoder().encode(secret)
    return importSPKI(secret.trim(), alg).catch(() => {
      throw unusablePublicKey()
    })
  }
}

/** @throws SallyportError `PROVIDER_UNAVAILABLE` when a secret is not a public key for any of the algorithms */
export async function requireUsableKey(secret: string, algorithms: readonly string[]): Promise<void> {
  const imports = algorithms.map((algorithm) => importSPKI(secret.trim(), algorithm))
  await Promise.any(imports).catch(() => {
    throw unusablePublicKey()
  })
}

// WebCrypto does not import RSA keys with the identifier id-RSASSA-PSS.
const unusablePublicKey = () =>
  providerUnavailable(
    'A key of this provider is not a public key in PEM (SPKI) for the algorithm; an RSA key needs the algorithm identifier rsaEncryption',
  )

/** Imports the key for signing. */
export async function signingKey(
  secret: string,
  algorithm: string,
  isShared: boolean,
): Promise<CryptoKey | Uint8Array> {
  if (isShared) return new TextEncoder().encode(secret)
  return importPKCS8(secret.trim(), algorithm).catch(() => {
    throw providerUnavailable(
      'A key of this provider is not a private key in PEM (PKCS #8) for the algorithm',
    )
  })
}

/** Rejects a token with an unknown key, and answers 503 when the keys are not available. */
export function keysOrMisconfigured(find: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await withLookupTimeout(find(header, token))
    } catch (cause) {
      const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys } = errors
      if (cause instanceof JWKSNoMatchingKey || cause instanceof JWKSMultipleMatchingKeys) throw cause
      throw providerUnavailable('The public keys of this provider are not available: try again', cause)
    }
  }
}
