import type { RegisteredClaims } from './claims.ts'

export interface ClaimsCheckOptions {
  readonly issuer: string
  /** Of several, one is enough. */
  readonly audience: readonly string[]
  /** Claims that must be there, besides the registered ones that every access token has. */
  readonly requiredClaims: readonly string[]
  readonly clockToleranceSeconds: number
}

/** All claims of a token: the registered ones, and others of any type. */
export type CheckedClaims = RegisteredClaims & Readonly<Record<string, unknown>>

/**
 * Makes what reads the payload of a token whose signature holds, and throws unless it is for this server and valid
 * at a time.
 *
 * Nothing passes that jose's `jwtVerify` would refuse; less passes: no empty `sub`, no number that is infinite, no
 * `exp` that has passed within the second, no `iat` in the future, no `jti`, `sid` or `scope` that is no text, and no byte
 * order mark.
 */
export function createClaimsCheck(
  options: ClaimsCheckOptions,
): (payload: Uint8Array, nowMs: number) => CheckedClaims {
  const { issuer, audience, clockToleranceSeconds: tolerance } = options
  const required = new Set([...alwaysRequired, ...options.requiredClaims])

  return (payload, nowMs) => {
    const claims = parse(payload)
    for (const name of required) {
      if (!Object.hasOwn(claims, name)) throw new Error(`${name} is missing`)
    }
    if (claims['iss'] !== issuer) throw new Error('The token has another issuer')
    if (!isFor(audience, claims['aud'])) throw new Error('The token is for another audience')
    if (!isText(claims['sub'])) throw new Error('sub must be text')
    const now = nowMs / 1000
    // Asked for what has to hold, so that a time which is no number refuses.
    if (!(secondsOf(claims, 'exp') > now - tolerance)) throw new Error('The token has expired')
    if (!(secondsOf(claims, 'iat') <= now + tolerance)) throw new Error('iat lies in the future')
    if (claims['nbf'] !== undefined && !(secondsOf(claims, 'nbf') <= Math.floor(now) + tolerance)) {
      throw new Error('nbf lies in the future')
    }
    for (const name of optionalTexts) {
      const value = claims[name]
      if (value !== undefined && typeof value !== 'string') throw new Error(`${name} must be text`)
    }
    return claims as CheckedClaims
  }
}

const alwaysRequired = ['iss', 'aud', 'sub', 'iat', 'exp']
const optionalTexts = ['jti', 'sid', 'scope']

// A byte order mark is left in, for the parser to refuse: JSON has none (RFC 8259, section 8.1).
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(payload: Uint8Array): Readonly<Record<string, unknown>> {
  let claims: unknown
  try {
    claims = JSON.parse(utf8.decode(payload))
  } catch {
    // The parser's own message would quote the payload.
    throw new Error('The payload is not JSON in UTF-8')
  }
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
    throw new Error('The payload is no object')
  }
  return claims as Record<string, unknown>
}

function isFor(expected: readonly string[], aud: unknown): boolean {
  if (typeof aud === 'string') return expected.includes(aud)
  return Array.isArray(aud) && aud.every(isText) && aud.some((one) => expected.includes(one))
}

function secondsOf(claims: Readonly<Record<string, unknown>>, name: string): number {
  const value = claims[name]
  if (!Number.isFinite(value)) throw new Error(`${name} must be a number`)
  return value as number
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
