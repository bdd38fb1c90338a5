import type { RegisteredClaims } from './claims.ts'

export interface ClaimsCheckOptions {
  readonly issuer: string
  /** The claim that names the receiver of a token, and its accepted values. */
  readonly audience: AudienceRule
  /** Required claims in addition to `iss`, the claim of the audience, `sub`, `iat` and `exp`. */
  readonly requiredClaims: readonly string[]
  readonly clockToleranceSeconds: number
}

export interface AudienceRule {
  readonly claim: 'aud' | 'client_id'
  readonly values: readonly string[]
}

/** All claims of a token with checked registered claims. */
export type CheckedClaims = RegisteredClaims & Readonly<Record<string, unknown>>

/**
 * Creates a function that parses the payload of a token with a valid signature and checks its claims. It throws for an
 * invalid claim.
 *
 * The check is stricter than jose's `jwtVerify`: it also rejects an empty `sub`, an infinite number, an `exp` within the
 * current second, an `iat` in the future, a `jti`, `sid` or `scope` that is not a string, and a byte order mark.
 */
export function createClaimsCheck(
  options: ClaimsCheckOptions,
): (payload: Uint8Array, nowMs: number) => CheckedClaims {
  const { issuer, audience, clockToleranceSeconds: tolerance } = options
  const required = new Set([...alwaysRequired, audience.claim, ...options.requiredClaims])

  return (payload, nowMs) => {
    const claims = parse(payload)
    for (const name of required) {
      if (!Object.hasOwn(claims, name)) throw new Error(`${name} is missing`)
    }
    if (claims['iss'] !== issuer) throw new Error('The token has another issuer')
    if (!isFor(audience, claims)) throw new Error('The token has another audience')
    if (!isText(claims['sub'])) throw new Error('sub must be a non-empty string')
    const now = nowMs / 1000
    // The negated comparisons also reject NaN.
    if (!(readSeconds(claims, 'exp') > now - tolerance)) throw new Error('The token has expired')
    if (!(readSeconds(claims, 'iat') <= now + tolerance)) throw new Error('iat is in the future')
    if (claims['nbf'] !== undefined && !(readSeconds(claims, 'nbf') <= Math.floor(now) + tolerance)) {
      throw new Error('nbf is in the future')
    }
    for (const name of optionalTexts) {
      const value = claims[name]
      if (value !== undefined && typeof value !== 'string') throw new Error(`${name} must be a string`)
    }
    return claims as CheckedClaims
  }
}

const alwaysRequired = ['iss', 'sub', 'iat', 'exp']
const optionalTexts = ['jti', 'sid', 'scope']

// ignoreBOM keeps a byte order mark, which JSON.parse rejects (RFC 8259, section 8.1).
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(payload: Uint8Array): Readonly<Record<string, unknown>> {
  let claims: unknown
  try {
    claims = JSON.parse(utf8.decode(payload))
  } catch {
    // The message of the parser would contain the payload.
    throw new Error('The payload is not JSON in UTF-8')
  }
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
    throw new Error('The payload is not an object')
  }
  return claims as Record<string, unknown>
}

function isFor({ claim, values }: AudienceRule, claims: Readonly<Record<string, unknown>>): boolean {
  const { aud, client_id: client } = claims
  // A token with an audience is for that audience only (RFC 7519, section 4.1.3).
  if (claim === 'client_id') return aud === undefined && isText(client) && values.includes(client)
  if (typeof aud === 'string') return values.includes(aud)
  return Array.isArray(aud) && aud.every(isText) && aud.some((one) => values.includes(one))
}

function readSeconds(claims: Readonly<Record<string, unknown>>, name: string): number {
  const value = claims[name]
  if (!Number.isFinite(value)) throw new Error(`${name} must be a number`)
  return value as number
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
