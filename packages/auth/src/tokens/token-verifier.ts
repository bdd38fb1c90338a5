import { isSallyportError, SallyportError } from '@sallyport/errors'
import { integerOption } from '@sallyport/internal/options'
import { formatBearerChallenge, createInvalidTokenError } from '../bearer/errors.ts'
import { defaultMaxTokenLength } from '../bearer/parse-bearer.ts'
import { textOption, textsOption } from '../options.ts'
import { createClaimsCheck, type AudienceRule, type CheckedClaims } from './check-claims.ts'
import { deepFreeze, parseClaims, registeredClaims, type ClaimsParser, type VerifiedToken } from './claims.ts'
import type { RevocationCheck } from './revocation-cache.ts'
import { createTokenCache, type TokenCacheOptions } from './token-cache.ts'
import { defaultTokenType } from './token-issuer.ts'
import type { VerificationKeys } from './verification-keys.ts'
import { createSignatureVerifier } from './verify-signature.ts'

export interface TokenVerifierOptions<Claims> {
  /** A key ring, or the keys of a remote issuer. */
  readonly keys: VerificationKeys
  /** The required `iss`. */
  readonly issuer: string
  /**
   * The accepted audiences; `aud` must be or contain one of them. `{ clientId }` accepts tokens without `aud` whose `client_id`
   * is one of the values, such as the access tokens of Amazon Cognito, and rejects tokens with `aud`.
   */
  readonly audience: string | readonly string[] | { readonly clientId: string | readonly string[] }
  /**
   * The required `typ` header. Many identity providers send 'JWT' or no `typ`, which is equivalent (RFC 7519, section 5.1).
   * The value 'JWT' therefore accepts both. Every other value must be present.
   *
   * @default 'at+jwt' (RFC 9068)
   */
  readonly typ?: string
  /** Validates and types custom claims. @default all claims, unchanged */
  readonly claims?: ClaimsParser<Claims>
  /** Required claims in addition to `iss`, `aud` or `client_id`, `sub`, `iat` and `exp`. @default ['jti'] */
  readonly requiredClaims?: readonly string[]
  /** The accepted clock difference in seconds, 0 to 60. @default 5 */
  readonly clockToleranceSeconds?: number
  /** Called for every verification, also for cached tokens. @default no revocations */
  readonly revocations?: RevocationCheck
  /** The cache of verified tokens. */
  readonly cache?: TokenCacheOptions
  /** Maximum length of a token in characters. @default 8192 */
  readonly maxLength?: number
  /** The realm of the `WWW-Authenticate` header. @default 'api' */
  readonly realm?: string
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

export interface TokenVerifier<Claims> {
  /**
   * Verifies an access token and returns its claims.
   *
   * @throws SallyportError 401 `INVALID_TOKEN` with one message for every reason, with `WWW-Authenticate` and with the
   *   reason as `cause`; 503 `SERVICE_UNAVAILABLE` with `Retry-After` when the keys of a remote issuer or the
   *   revocations are unavailable
   */
  readonly verify: (token: string) => Promise<VerifiedToken<Claims>>
}

/**
 * Creates a verifier of access tokens.
 *
 * A token is valid if a key of its algorithm verifies its signature, `typ`, `iss` and `aud` are as expected, it has a
 * `sub`, is not expired and not issued in the future, its claims are valid, and it is not revoked.
 *
 * @throws TypeError for an option out of range, or for `keys` of another type
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
  // An array also has a `find` method, with which every token would be invalid.
  if (Array.isArray(keys) || typeof (keys as Partial<VerificationKeys> | undefined)?.find !== 'function')
    throw new TypeError('keys must come from createKeyRing() or createRemoteKeys()')
  integerOption('maxLength', maxLength, 1)
  integerOption('clockToleranceSeconds', clockToleranceSeconds, 0, 60)
  const audience = readAudience(options.audience)
  const issuer = textOption('issuer', options.issuer)
  const typ = textOption('typ', options.typ ?? defaultTokenType)
  const challenge = realm === undefined ? {} : { realm }
  formatBearerChallenge(challenge)
  const verifySignature = createSignatureVerifier(keys, typ)
  textsOption('requiredClaims', requiredClaims)
  const checkClaims = createClaimsCheck({ issuer, audience, requiredClaims, clockToleranceSeconds })
  const cache = createTokenCache<Token>(options.cache ?? {}, clockToleranceSeconds)

  async function verifyNew(token: string, key: string): Promise<Token> {
    const { version } = keys
    let verified
    try {
      const payload = verifySignature(token)
      const claims = checkClaims(payload instanceof Promise ? await payload : payload, now())
      verified = options.claims === undefined ? (claims as Token) : parseCustomClaims(options.claims, claims)
      if (verified instanceof Promise) verified = await verified
      deepFreeze(verified)
    } catch (cause) {
      throw isSallyportError(cause) ? cause : createInvalidTokenError({ ...challenge, cause })
    }
    cache.set(key, version, now(), verified)
    return revocations === undefined ? verified : requireNotRevoked(verified)
  }

  async function requireNotRevoked(token: Token): Promise<Token> {
    const revoked = checkRevoked(revocations, token)
    if (typeof revoked === 'boolean' ? revoked : await revoked) throw createInvalidTokenError(challenge)
    return token
  }

  return {
    verify(token) {
      if (typeof token !== 'string' || token.length > maxLength)
        return Promise.reject(createInvalidTokenError(challenge))
      const key = cache.keyFor(token)
      const verified = cache.get(key, keys.version, now())
      return verified === undefined ? verifyNew(token, key) : requireNotRevoked(verified)
    },
  }
}

function readAudience(audience: TokenVerifierOptions<object>['audience']): AudienceRule {
  const isByClient = typeof audience === 'object' && 'clientId' in audience
  const values = [isByClient ? audience.clientId : audience].flat()
  if (values.length === 0) throw new TypeError('audience must name at least one audience or client')
  for (const value of values) textOption(isByClient ? 'audience.clientId' : 'audience', value)
  return { claim: isByClient ? 'client_id' : 'aud', values }
}

/** Merges parsed custom claims with the registered claims, which take precedence because they are checked. */
function parseCustomClaims<Claims extends object>(
  parser: ClaimsParser<Claims>,
  claims: CheckedClaims,
): VerifiedToken<Claims> | Promise<VerifiedToken<Claims>> {
  const registered = registeredClaims(claims)
  const own = parseClaims(parser, claims)
  return own instanceof Promise
    ? own.then((awaited) => ({ ...awaited, ...registered }))
    : { ...own, ...registered }
}

/** Runs the revocation check. An error becomes 503 instead of 401, because a client would log out after 401. */
function checkRevoked(
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

function unavailable(cause: unknown): never {
  if (isSallyportError(cause)) throw cause
  throw new SallyportError('SERVICE_UNAVAILABLE', 'Tokens cannot be checked at the moment; try again', {
    cause,
    headers: { 'Retry-After': '1' },
  })
}
