import {
  errors,
  importPKCS8,
  importSPKI,
  jwtVerify,
  SignJWT,
  type CryptoKey,
  type JWTVerifyGetKey,
  type JWTVerifyResult,
} from 'jose'
import { equalText, sha256Hex } from '../crypto/crypto.ts'
import { decodeText, encodeBytes, type DigestEncoding } from '../crypto/encoding.ts'
import { providerUnavailable } from '../gateway/refusals.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { isSecret, requireSecret, withLookupTimeout } from './keys.ts'
import { requireHeaderName, refusal, type Refusal } from './proof.ts'

export interface JwtOptions {
  /** The header that carries the token. */
  readonly header: string
  /** The claim with the SHA-256 of the body. @default 'request_body_sha256' */
  readonly claim?: string
  /** The encoding of the hash. @default 'hex' */
  readonly claimEncoding?: DigestEncoding
  /** The algorithms of RFC 7518 that are accepted, the one to sign with first; for shared or public keys, never both. */
  readonly algorithms: readonly [string, ...string[]]
  /**
   * Finds the public key of a token, such as jose's `createRemoteJWKSet`. Senders can name unknown keys: the function must
   * cache keys and limit how often it fetches them. The timeout is 5 seconds.
   *
   * @default the secrets are the keys
   */
  readonly keys?: JWTVerifyGetKey
  /** Seconds that `iat` may lie in the past or in the future, and that `exp` and `nbf` may be off by. @default 300 */
  readonly toleranceSeconds?: number
  /**
   * The time claims that a token needs. The scheme checks each time claim that is present. `iat` or `exp` is required: without
   * both, a captured delivery would verify without a time limit.
   *
   * @default ['iat']
   */
  readonly requiredClaims?: readonly TimeClaim[]
}

type TimeClaim = 'iat' | 'exp' | 'nbf'

/**
 * A JSON Web Token in a header, with the hash of the body in a claim.
 *
 * The provider's secrets are public keys (PEM, SPKI) to verify with, and `sign` takes a private key (PEM, PKCS #8); for
 * `HS256` and its like both are the text of the shared secret. `iat` is required by default. Every part of a token
 * has one accepted form.
 *
 * @throws TypeError for an empty list of algorithms, `none` or a mix of both kinds, an unknown encoding, an invalid header name,
 *   a tolerance that is not positive, and required claims without `iat` and `exp`; from `sign` for an empty secret
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no key verifies and a key is unusable, or when the keys are not
 *   available
 *
 * @example
 * ```ts
 * import { jwt } from '@sallyport/webhooks/jwt'
 *
 * const signature = jwt({
 *   header: 'x-fusionauth-signature-jwt',
 *   claimEncoding: 'base64',
 *   algorithms: ['RS256'],
 * })
 * ```
 *
 * @see RFC 7519
 */
export function jwt(options: JwtOptions): SignatureScheme {
  const { claim = 'request_body_sha256', claimEncoding = 'hex', toleranceSeconds = 300 } = options
  const { algorithms, keys: findKey, requiredClaims = ['iat'] } = options
  const header = options.header.toLowerCase()
  if (!(toleranceSeconds > 0 && Number.isFinite(toleranceSeconds)))
    throw new TypeError('toleranceSeconds must be a positive number')
  if (!requiredClaims.every(isTimeClaim) || !requiredClaims.some((name) => name !== 'nbf'))
    throw new TypeError('requiredClaims must be of iat, exp and nbf, with iat or exp among them')
  requireHeaderName(header)
  if (!['hex', 'base64', 'base64url'].includes(claimEncoding))
    throw new TypeError('claimEncoding must be hex, base64 or base64url')
  const isShared = areShared(algorithms)
  const hashBody = async (body: Uint8Array): Promise<string> =>
    encodeBytes(claimEncoding, decodeText('hex', await sha256Hex(body)) ?? new Uint8Array())

  return {
    headers: [header],

    async verify({ headers, body }, secrets, now) {
      const token = headers.get(header)
      if (token === null) return refusal('missing')
      if (!isCanonical(token)) return refusal('malformed')
      const finders = findKey
        ? [keysOrMisconfigured(findKey)]
        : secrets.filter(isSecret).map((secret) => keyInSecret(secret, isShared))
      const verdicts = await Promise.allSettled(
        finders.map((find) =>
          jwtVerify(token, find, {
            algorithms: [...algorithms],
            currentDate: new Date(now),
            clockTolerance: toleranceSeconds,
            requiredClaims: [...requiredClaims, claim],
          }).catch(toRefusal),
        ),
      )
      const verdict = selectVerdict(verdicts)
      if ('verified' in verdict) return verdict
      const { iat, [claim]: claimed } = verdict.payload
      // In whole seconds, as tokens are issued in, and as jose compares exp and nbf.
      if (iat !== undefined && !(Math.abs(Math.floor(now / 1000) - iat) <= toleranceSeconds))
        return refusal('expired')
      if (typeof claimed !== 'string') return refusal('malformed')
      return equalText(claimed, await hashBody(body)) ? { verified: true, body } : refusal('mismatch')
    },

    ...(findKey === undefined &&
      !isShared && {
        checkSecret: (secret: string) => requireUsableKey(secret, algorithms),
      }),

    async sign({ body }, secret, now) {
      requireSecret(secret)
      const [alg] = algorithms
      const seconds = Math.floor(now / 1000)
      const token = new SignJWT({ [claim]: await hashBody(body) })
        .setProtectedHeader({ alg, typ: 'JWT' })
        .setIssuedAt(seconds)
      if (requiredClaims.includes('nbf')) token.setNotBefore(seconds)
      if (requiredClaims.includes('exp')) token.setExpirationTime(seconds + toleranceSeconds)
      return { [header]: await token.sign(await signingKey(secret, alg, isShared)) }
    },
  }
}

const isTimeClaim = (name: string): boolean => ['iat', 'exp', 'nbf'].includes(name)

/** A decoder could accept several texts for the same token. */
function isCanonical(token: string): boolean {
  const parts = token.split('.', 4)
  return (
    parts.length === 3 && parts.every((part) => part !== '' && decodeText('base64url', part) !== undefined)
  )
}

/** Returns a verified token, throws the error of an unusable key, or returns the reason of the rejection. */
function selectVerdict(
  verdicts: readonly PromiseSettledResult<JWTVerifyResult | Refusal>[],
): JWTVerifyResult | Refusal {
  const settled = verdicts.filter((verdict) => verdict.status === 'fulfilled').map(({ value }) => value)
  const verified = settled.find((verdict) => !('verified' in verdict))
  if (verified) return verified
  const unusable = verdicts.find((verdict) => verdict.status === 'rejected')
  if (unusable) throw unusable.reason
  return (
    settled.find((verdict) => 'verified' in verdict && verdict.reason !== 'mismatch') ?? refusal('mismatch')
  )
}

/** @throws an error that is not about the token, such as an unusable key */
function toRefusal(error: unknown): Refusal {
  if (!(error instanceof errors.JOSEError)) throw error
  if (error instanceof errors.JWTExpired) return refusal('expired')
  if (error instanceof errors.JWTClaimValidationFailed) {
    return refusal(error.reason === 'check_failed' ? 'expired' : 'malformed')
  }
  return refusal(mismatches.has(error.code) ? 'mismatch' : 'malformed')
}

const mismatches: ReadonlySet<string> = new Set([
  errors.JWSSignatureVerificationFailed.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
])

/**
 * Reports whether the algorithms use a shared secret.
 *
 * @throws TypeError for a mix of shared and public keys: a sender could use the public key as a shared secret
 */
function areShared(algorithms: readonly string[]): boolean {
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
function keyInSecret(secret: string, isShared: boolean): JWTVerifyGetKey {
  return async ({ alg }) => {
    if (isShared) return new TextEncoder().encode(secret)
    return importSPKI(secret.trim(), alg).catch(() => {
      throw unusablePublicKey()
    })
  }
}

/** @throws SallyportError `PROVIDER_UNAVAILABLE` when a secret is not a public key for any of the algorithms */
async function requireUsableKey(secret: string, algorithms: readonly string[]): Promise<void> {
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
async function signingKey(
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
function keysOrMisconfigured(find: JWTVerifyGetKey): JWTVerifyGetKey {
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
