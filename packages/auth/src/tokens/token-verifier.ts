import { isSallyportError, SallyportError } from '@sallyport/errors'
import { bearerChallenge } from '../bearer/challenge.ts'
import { invalidToken } from '../bearer/errors.ts'
import { defaultMaxTokenLength } from '../bearer/parse-bearer.ts'
import { integerOption, textOption, textsOption } from '../options.ts'
import { createClaimsCheck, type CheckedClaims } from './check-claims.ts'
import { deepFreeze, parseClaims, registeredClaims } from './claims.ts'
import type { ClaimsParser, VerifiedToken } from './claims.ts'
import type { RevocationCheck } from './revocation.ts'
import { createTokenCache, type TokenCacheOptions } from './token-cache.ts'
import { defaultTokenType } from './token-issuer.ts'
import type { VerificationKeys } from './verification-keys.ts'
import { createSignatureVerifier } from './verify-signature.ts'

export interface TokenVerifierOptions<Claims> {
  /** A key ring, or the keys of a remote issuer. */
  readonly keys: VerificationKeys
  /** What `iss` must be. */
  readonly issuer: string
  /** What `aud` must be or contain; of several, one is enough. */
  readonly audience: string | readonly string[]
  /**
   * What the `typ` header must be. Many identity providers send 'JWT', or none, which is the same (RFC 7519, section
   * 5.1): 'JWT' takes both, every other type has to be there.
   *
   * @default 'at+jwt' (RFC 9068)
   */
  readonly typ?: string
  /** Checks and types the caller's own claims. @default all claims, as they are */
  readonly claims?: ClaimsParser<Claims>
  /** Claims that must be there, besides `iss`, `aud`, `sub`, `iat` and `exp`. @default ['jti'] */
  readonly requiredClaims?: readonly string[]
  /** How far clocks may differ, in seconds, 0 to 60. @default 5 */
  readonly clockToleranceSeconds?: number
  /** Asked on every verification, cached ones included. @default nothing is revoked */
  readonly revocations?: RevocationCheck
  /** The cache of verified tokens. */
  readonly cache?: TokenCacheOptions
  /** The longest token that is looked at, in characters. @default 8192 */
  readonly maxLength?: number
  /** The realm of the `WWW-Authenticate` header. @default 'api' */
  readonly realm?: string
  /** The present, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

export interface TokenVerifier<Claims> {
  /**
   * The claims of an access token.
   *
   * @throws SallyportError 401 `INVALID_TOKEN`, in one text whatever is wrong, with `WWW-Authenticate` and the
   *   reason as `cause`; 503 `SERVICE_UNAVAILABLE` with `Retry-After` when the keys of a remote issuer or the
   *   revocations cannot be asked
   */
  readonly verify: (token: string) => Promise<VerifiedToken<Claims>>
  /**
   * The claims of a token that has come before, and was verified a moment ago, at once: no signature is checked again and no
   * promise is made. Undefined when that is not possible, which says nothing against the token: ask `verify` then.
   */
  readonly verifyCached: (token: string) => VerifiedToken<Claims> | undefined
}

/**
 * Makes a verifier of access tokens.
 *
 * A token passes when a key of its algorithm verifies it, `typ`, `iss` and `aud` are the expected ones, it has a
 * `sub`, has not expired, was not issued in the future, its claims fit, and it was not revoked.
 *
 * @throws TypeError for an option out of range, or keys that are neither a ring nor those of a remote issuer
 * @example
 * ```ts
 * import { createKeyRing, createTokenVerifier, parseBearer, requireRole } from '@sallyport/auth'
 *
 * const verifier = createTokenVerifier({
 *   keys: createKeyRing([process.env.JWT_SECRET ?? '']),
 *   issuer: 'https://api.example',
 *   audience: 'https://api.example',
 *   claims: ({ role }) => {
 *     if (role !== 'user' && role !== 'admin') throw new Error('unknown role')
 *     return { role }
 *   },
 * })
 *
 * export async function admin(request: Request): Promise<string> {
 *   const token = await verifier.verify(parseBearer(request.headers.get('authorization')))
 *   requireRole(token, ['admin'])
 *   return token.sub
 * }
 * ```
 */
export function createTokenVerifier<Claims extends object = Record<string, unknown>>(
  options: TokenVerifierOptions<Claims>,
): TokenVerifier<Claims> {
  type Token = VerifiedToken<Claims>
  const { keys, revocations, realm, now = Date.now, requiredClaims = ['jti'] } = options
  const { maxLength = defaultMaxTokenLength, clockToleranceSeconds = 5 } = options
  // An array has a `find` of another kind: every token would be an invalid one.
  if (Array.isArray(keys) || typeof (keys as Partial<VerificationKeys> | undefined)?.find !== 'function')
    throw new TypeError('keys must be those of createKeyRing() or createRemoteKeys()')
  integerOption('maxLength', maxLength, 1)
  integerOption('clockToleranceSeconds', clockToleranceSeconds, 0, 60)
  const audience = [options.audience].flat().map((value) => textOption('audience', value))
  if (audience.length === 0) throw new TypeError('audience must name at least one')
  const issuer = textOption('issuer', options.issuer)
  const typ = textOption('typ', options.typ ?? defaultTokenType)
  const challenge = realm === undefined ? {} : { realm }
  bearerChallenge(challenge)
  const verifySignature = createSignatureVerifier(keys, typ)
  textsOption('requiredClaims', requiredClaims)
  const checkClaims = createClaimsCheck({ issuer, audience, requiredClaims, clockToleranceSeconds })
  const cache = createTokenCache<Token>(options.cache ?? {}, clockToleranceSeconds)

  async function verifyNew(token: string): Promise<Token> {
    const { version } = keys
    let verified
    try {
      const { payload } = await verifySignature(token)
      const claims = checkClaims(payload, now())
      verified = options.claims === undefined ? (claims as Token) : withOwn(options.claims, claims)
      if (verified instanceof Promise) verified = await verified
      deepFreeze(verified)
    } catch (cause) {
      throw isSallyportError(cause) ? cause : invalidToken({ ...challenge, cause })
    }
    cache.set(token, version, now(), verified)
    return revocations === undefined ? verified : notRevoked(verified)
  }

  async function notRevoked(token: Token): Promise<Token> {
    const revoked = askRevoked(revocations, token)
    if (typeof revoked === 'boolean' ? revoked : await revoked) throw invalidToken(challenge)
    return token
  }

  return {
    verify(token) {
      if (typeof token !== 'string' || token.length > maxLength)
        return Promise.reject(invalidToken(challenge))
      const verified = cache.get(token, keys.version, now())
      return verified === undefined ? verifyNew(token) : notRevoked(verified)
    },
    verifyCached(token) {
      if (typeof token !== 'string' || token.length > maxLength) return undefined
      const verified = cache.get(token, keys.version, now())
      return verified !== undefined && isKnownGood(revocations, verified) ? verified : undefined
    },
  }
}

/** What the caller reads out of the claims, and the registered ones: those were checked, so nothing replaces them. */
function withOwn<Claims extends object>(
  parser: ClaimsParser<Claims>,
  claims: CheckedClaims,
): VerifiedToken<Claims> | Promise<VerifiedToken<Claims>> {
  const registered = registeredClaims(claims)
  const own = parseClaims(parser, claims)
  return own instanceof Promise
    ? own.then((awaited) => ({ ...awaited, ...registered }))
    : { ...own, ...registered }
}

/** An answer that cannot be had refuses the token, but does not call it invalid: the caller would log out. */
function askRevoked(
  revocations: RevocationCheck | undefined,
  token: VerifiedToken<object>,
): boolean | Promise<boolean> {
  if (revocations === undefined) return false
  try {
    const revoked = revocations.isRevoked(token)
    return typeof revoked === 'boolean' ? revoked : revoked.catch(unavailable)
  } catch (cause) {
    return unavailable(cause)
  }
}

/** Whether the answer is at hand and says that the token was not revoked. */
function isKnownGood(revocations: RevocationCheck | undefined, token: VerifiedToken<object>): boolean {
  if (revocations === undefined) return true
  try {
    const revoked = revocations.isRevoked(token)
    if (typeof revoked === 'boolean') return !revoked
    // Nobody waits for this answer; `verify` asks again and reports a failure.
    revoked.catch(() => undefined)
  } catch {
    return false
  }
  return false
}

function unavailable(cause: unknown): never {
  if (isSallyportError(cause)) throw cause
  throw new SallyportError('SERVICE_UNAVAILABLE', 'Tokens cannot be checked at the moment; try again', {
    cause,
    headers: { 'Retry-After': '1' },
  })
}
