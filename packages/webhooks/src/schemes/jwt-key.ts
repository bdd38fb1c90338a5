import { errors, importPKCS8, importSPKI, type CryptoKey, type JWTVerifyGetKey } from 'jose'
import { providerUnavailable } from '../gateway/refusals.ts'
import { inTime } from './keys.ts'

/**
 * Whether the algorithms are keyed by a shared secret.
 *
 * @throws TypeError when there are both kinds: a public key could then be taken for the secret that it is not
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

/** Finds the key of a token in a secret, whatever the token says of its key. */
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

// WebCrypto reads no RSA key with the identifier id-RSASSA-PSS.
const unusablePublicKey = () =>
  providerUnavailable(
    'A key of this provider is not a public key in PEM (SPKI) for the algorithm; an RSA key needs the algorithm identifier rsaEncryption',
  )

/** The key that a token is signed with here. */
export async function signingKey(
  secret: string,
  algorithm: string,
  isShared: boolean,
): Promise<CryptoKey | Uint8Array> {
  if (isShared) return new TextEncoder().encode(secret)
  return importPKCS8(secret.trim(), algorithm).catch(() => {
    throw providerUnavailable('A key of this provider is no private key in PEM (PKCS #8) for its algorithm')
  })
}

/** A token that names a key which is not there is refused; keys that cannot be had are nobody's forgery. */
export function keysOrMisconfigured(find: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await inTime(find(header, token))
    } catch (cause) {
      const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys } = errors
      if (cause instanceof JWKSNoMatchingKey || cause instanceof JWKSMultipleMatchingKeys) throw cause
      throw providerUnavailable('The public keys of this provider cannot be had now: try again', cause)
    }
  }
}
