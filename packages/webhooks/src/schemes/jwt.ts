import { errors, jwtVerify, SignJWT, type JWTPayload, type JWTVerifyResult } from 'jose'
import { equalText, hashText } from '../crypto/crypto.ts'
import { decodeText, requireEncoding, utf8, type DigestEncoding } from '../crypto/encoding.ts'
import { parseJson } from '../parsers/parse-json.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { MaybePromise, SignatureScheme } from '../ports/ports.ts'
import { createFinders, readSigningKey, requireUsableKey, type TokenKeyOptions } from './jwt-keys.ts'
import { requireSecret } from './keys.ts'
import { requireHeaderName, refusal, type Refusal } from './proof.ts'

export interface JwtOptions extends TokenKeyOptions {
  /** The header that carries the token. @default the token is the whole body */
  readonly header?: string
  /** The optional prefix of the token in the header, such as `Bearer `, in any case. @default '' */
  readonly prefix?: string
  /**
   * The claim with the SHA-256 of the body; `false` for a token that authenticates only the sender. An empty body needs no claim.
   *
   * @default 'request_body_sha256', and `false` for a token that is the body
   */
  readonly claim?: string | false
  /**
   * Returns the bytes that the service hashes, such as JSON of the query of a delivery by GET. They are the verified body.
   *
   * @default the body
   */
  readonly signedForm?: (delivery: Delivery) => Uint8Array
  /** The encoding of the hash. @default 'hex' */
  readonly claimEncoding?: DigestEncoding
  /** The algorithms of RFC 7518 that are accepted, the one to sign with first; for shared or public keys, never both. */
  readonly algorithms: readonly [string, ...string[]]
  /** Seconds that `iat` may lie in the past or in the future, and that `exp` and `nbf` may be off by. @default 300 */
  readonly toleranceSeconds?: number
  /**
   * The time claims that a token needs. The scheme checks each time claim that is present. Without `iat` and `exp`, a captured
   * delivery verifies without a time limit. A token that authenticates only the sender needs `iat` or `exp`.
   *
   * @default ['iat'], and none for a token that is the body
   */
  readonly requiredClaims?: readonly TimeClaim[]
  /**
   * The values of other claims, such as `iss` and `aud`. A claim with a list must contain one of the values.
   *
   * @default none
   */
  readonly claims?: Readonly<Record<string, ClaimValue | readonly ClaimValue[]>>
  /** Checks claims that depend on the delivery or on the secrets, such as the hash of the URL. */
  readonly check?: (
    claims: Readonly<Record<string, unknown>>,
    delivery: Delivery,
    secrets: readonly string[],
  ) => MaybePromise<boolean>
  /** Creates the claims that `check` compares, for `sign`. */
  readonly createClaims?: (delivery: Delivery, secret: string) => MaybePromise<JWTPayload>
}

type TimeClaim = 'iat' | 'exp' | 'nbf'
type ClaimValue = string | number | boolean

/**
 * A JSON Web Token in a header, with the hash of the body in a claim, or a JSON Web Token that is the body.
 *
 * The provider's secrets are public keys (PEM, SPKI) to verify with, and `sign` takes a private key (PEM, PKCS #8); for
 * `HS256` and its like both are the text of the shared secret. `iat` is required by default. Every part of a token
 * has one accepted form.
 *
 * @throws TypeError for an empty list of algorithms, `none` or a mix of both kinds, an unknown encoding, an invalid header name,
 *   a tolerance that is not positive, and required claims without `iat` and `exp` for a token that authenticates only the
 *   sender; from `sign` for an empty secret
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no key verifies and a key is unusable, or when the keys are not
 *   available
 *
 * @example
 * ```ts
 * import { jwt } from '@sallyport/webhooks/jwt'
 *
 * const fusionAuth = jwt({
 *   header: 'x-fusionauth-signature-jwt',
 *   claimEncoding: 'base64',
 *   algorithms: ['RS256'],
 * })
 *
 * const pubSub = jwt({
 *   header: 'authorization',
 *   prefix: 'Bearer ',
 *   claim: false,
 *   algorithms: ['RS256'],
 *   keySet: 'https://www.googleapis.com/oauth2/v3/certs',
 *   requiredClaims: ['exp'],
 *   // Google repeats a token for up to an hour.
 *   toleranceSeconds: 3600,
 *   claims: { iss: 'https://accounts.google.com', email_verified: true },
 *   check: ({ aud }, _, secrets) => secrets.some((audience) => audience === aud),
 * })
 * ```
 *
 * @see RFC 7519
 */
export function jwt(options: JwtOptions): SignatureScheme {
  const { prefix = '', claimEncoding = 'hex', toleranceSeconds = 300, claims = {}, check } = options
  const { algorithms, keys, keySet, signingKey, keyId, createClaims, signedForm } = options
  const header = options.header?.toLowerCase()
  const { claim = header === undefined ? false : 'request_body_sha256' } = options
  const { requiredClaims = header === undefined ? [] : ['iat'] } = options
  if (!(toleranceSeconds > 0 && Number.isFinite(toleranceSeconds)))
    throw new TypeError('toleranceSeconds must be a positive number')
  const authenticatesSender = header !== undefined && claim === false
  if (
    !requiredClaims.every(isTimeClaim) ||
    (authenticatesSender && !requiredClaims.some((name) => name !== 'nbf'))
  )
    throw new TypeError('requiredClaims must be of iat, exp and nbf, with iat or exp among them')
  if (header !== undefined) requireHeaderName(header)
  requireEncoding('claimEncoding', claimEncoding)
  const isShared = areShared(algorithms)
  const listFinders = createFinders(options, isShared)
  const hashBody = (body: Uint8Array) => hashText('sha256', claimEncoding, [body])

  const createToken = async (
    delivery: Delivery,
    payload: JWTPayload,
    secret: string,
    now: number,
  ): Promise<string> => {
    requireSecret(secret)
    const [alg] = algorithms
    const seconds = Math.floor(now / 1000)
    const fixed = Object.entries(claims).map(([name, value]): [string, unknown] => [name, [value].flat()[0]])
    const token = new SignJWT({
      ...(Object.fromEntries(fixed) as JWTPayload),
      ...payload,
      ...(await createClaims?.(delivery, secret)),
      ...(claim !== false && { [claim]: await hashBody(signedForm?.(delivery) ?? delivery.body) }),
    })
      .setProtectedHeader({ alg, typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
      .setIssuedAt(seconds)
    if (requiredClaims.includes('nbf')) token.setNotBefore(seconds)
    if (requiredClaims.includes('exp')) token.setExpirationTime(seconds + toleranceSeconds)
    return token.sign(await readSigningKey(signingKey ?? secret, alg, isShared))
  }

  return {
    headers: header === undefined ? [] : [header],
    ...(authenticatesSender && { covers: [] }),
    description: { scheme: 'jwt', options },

    async verify(delivery, secrets, now) {
      const { headers } = delivery
      const presented = header === undefined ? readToken(delivery.body) : headers.get(header)
      if (presented === null) return refusal('missing')
      const token = withoutPrefix(presented, prefix)
      if (!isCanonical(token)) return refusal('malformed')
      const verdicts = await Promise.allSettled(
        listFinders(secrets).map((find) =>
          jwtVerify(token, find, {
            algorithms: [...algorithms],
            currentDate: new Date(now),
            clockTolerance: toleranceSeconds,
            requiredClaims: [...requiredClaims],
          }).catch(toRefusal),
        ),
      )
      const verdict = selectVerdict(verdicts)
      if ('verified' in verdict) return verdict
      const { payload } = verdict
      // In whole seconds, as tokens are issued in, and as jose compares exp and nbf.
      if (payload.iat !== undefined && !(Math.abs(Math.floor(now / 1000) - payload.iat) <= toleranceSeconds))
        return refusal('expired')
      const hasValues = Object.entries(claims).every(([name, value]) => hasValue(payload[name], value))
      if (!hasValues || !((await check?.(payload, delivery, secrets)) ?? true)) return refusal('mismatch')
      const body = signedForm?.(delivery) ?? delivery.body
      if (claim === false) return { verified: true, body }
      const claimed = payload[claim]
      if (claimed === undefined && body.length === 0) return { verified: true, body }
      if (typeof claimed !== 'string') return refusal('malformed')
      return equalText(claimed, await hashBody(body)) ? { verified: true, body } : refusal('mismatch')
    },

    ...(keys === undefined &&
      keySet === undefined &&
      !isShared && {
        checkSecret: (secret: string) => requireUsableKey(secret, algorithms),
      }),

    async sign(delivery, secret, now) {
      if (header === undefined) return {}
      return { [header]: prefix + (await createToken(delivery, {}, secret, now)) }
    },

    ...(header === undefined && {
      async signBody(delivery: Delivery, secret: string, now: number) {
        return utf8(
          await createToken(delivery, parseJson(delivery.body, 'number') as JWTPayload, secret, now),
        )
      },
    }),
  }
}

/** The largest token in a body. */
const maximumToken = 1024 * 1024

function readToken(body: Uint8Array): string | null {
  return body.length === 0 ? null : new TextDecoder('latin1').decode(body.subarray(0, maximumToken + 1))
}

function withoutPrefix(text: string, prefix: string): string {
  return text.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase()
    ? text.slice(prefix.length)
    : text
}

function hasValue(claim: unknown, expected: ClaimValue | readonly ClaimValue[]): boolean {
  const values: readonly unknown[] = [expected].flat()
  return [claim].flat().some((value) => values.includes(value))
}

const isTimeClaim = (name: string): boolean => ['iat', 'exp', 'nbf'].includes(name)

/** A decoder could accept several texts for the same token. */
function isCanonical(token: string): boolean {
  const parts = token.split('.', 4)
  return (
    parts.length === 3 &&
    parts.every((part) => part !== '' && decodeText('base64url', part, maximumToken) !== undefined)
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
