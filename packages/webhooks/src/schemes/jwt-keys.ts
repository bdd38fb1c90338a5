import {
  createRemoteJWKSet,
  errors,
  importPKCS8,
  importSPKI,
  type CryptoKey,
  type JWTVerifyGetKey,
} from 'jose'
import { providerUnavailable } from '../ports/refusals.ts'
import type { MaybePromise } from '../ports/ports.ts'
import { createKeyCache, isSecret, withLookupTimeout } from './keys.ts'

/** Finds the key of a token, with the secrets of the provider. Returns undefined for a key that the service does not have. */
type FindTokenKey = (
  header: Parameters<JWTVerifyGetKey>[0],
  token: Parameters<JWTVerifyGetKey>[1],
  secrets: readonly string[],
) => MaybePromise<Awaited<ReturnType<JWTVerifyGetKey>> | undefined>

/** Where the public keys of tokens are. */
export interface TokenKeyOptions {
  /**
   * Finds the public key of a token, such as jose's `createRemoteJWKSet`. Senders can name unknown keys: the function must
   * cache keys and limit how often it fetches them. The timeout is 5 seconds. The secrets can contain the credentials with
   * which a service gives its keys.
   *
   * @default the secrets are the keys
   */
  readonly keys?: FindTokenKey
  /**
   * The URL of the key set (JWKS): a fixed URL, or a function of a secret that names the tenant of the service. The scheme
   * caches the keys.
   */
  readonly keySet?: string | ((secret: string) => string)
  /** The private key of `sign` in PEM (PKCS #8), for tests of a scheme with `keys` or `keySet`. @default the secret */
  readonly signingKey?: string
  /** The `kid` that `sign` writes. */
  readonly keyId?: string
}

/** Creates a function that lists, for the secrets of a provider, the functions that find the key of a token. */
export function createFinders(
  { keys, keySet }: TokenKeyOptions,
  isShared: boolean,
): (secrets: readonly string[]) => readonly JWTVerifyGetKey[] {
  if (keys) return (secrets) => [keysOrMisconfigured((header, token) => keys(header, token, secrets))]
  if (keySet === undefined) {
    return (secrets) => secrets.filter(isSecret).map((secret) => keyInSecret(secret, isShared))
  }
  const cached = createKeyCache<JWTVerifyGetKey>()
  const findIn = (url: string) => cached(url, () => keysOrMisconfigured(createRemoteJWKSet(new URL(url))))
  if (typeof keySet === 'string') return () => [findIn(keySet)]
  return (secrets) => secrets.filter(isSecret).map((secret) => findIn(readUrl(keySet(secret))))
}

function readUrl(url: string): string {
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return url
  throw providerUnavailable('A secret of this provider does not name a key set at an https: URL')
}

/** Reads the key from a secret. The key id of the token is ignored. */
function keyInSecret(secret: string, isShared: boolean): JWTVerifyGetKey {
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
export async function readSigningKey(
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
function keysOrMisconfigured(
  find: (...own: Parameters<JWTVerifyGetKey>) => ReturnType<FindTokenKey>,
): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      const key = await withLookupTimeout(find(header, token))
      if (key === undefined) throw new errors.JWKSNoMatchingKey()
      return key
    } catch (cause) {
      const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys } = errors
      if (cause instanceof JWKSNoMatchingKey || cause instanceof JWKSMultipleMatchingKeys) throw cause
      throw providerUnavailable('The public keys of this provider are not available: try again', cause)
    }
  }
}
