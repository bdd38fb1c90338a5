import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { integerOption } from '@sallyport/internal/options'
import { textOption } from '../options.ts'
import type { KeyRing } from './key-ring.ts'

/** The media type of an access token (RFC 9068), which distinguishes it from other JWTs of the issuer. */
export const defaultTokenType = 'at+jwt'

export interface TokenIssuerOptions {
  /** The keys; the first key signs. */
  readonly keys: KeyRing
  /** The `iss` claim. */
  readonly issuer: string
  /** The `aud` claim. */
  readonly audience: string
  /** @default 900 */
  readonly lifetimeSeconds?: number
  /** The `typ` header. @default 'at+jwt' (RFC 9068) */
  readonly typ?: string
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /** Creates the `jti` of a token. @default a random UUID */
  readonly id?: () => string
}

/** The claims that the issuer sets. */
type OwnClaims = 'iss' | 'aud' | 'iat' | 'exp' | 'nbf' | 'jti'

/** The subject, the session and custom claims. */
type ClaimsToIssue<Claims> = { readonly sub: string; readonly sid?: string } & Readonly<Claims> & {
    readonly [name in OwnClaims]?: never
  }

/** A signed access token. */
export interface IssuedToken {
  readonly token: string
  /** The id of the token, the `jti` claim. */
  readonly id: string
  /** The lifetime in seconds: `expires_in` of RFC 6749, section 5.1. */
  readonly expiresIn: number
}

export interface TokenIssuer<Claims> {
  /** Signs an access token with the first key of the ring. */
  readonly issue: (claims: ClaimsToIssue<Claims>) => Promise<IssuedToken>
}

/**
 * Creates an issuer of access tokens: JWTs with `iss`, `aud`, `sub`, `jti`, `iat`, `exp` and custom claims.
 *
 * @throws TypeError for an option out of range, or a ring whose first key cannot sign
 * @example
 * ```ts
 * import { createKeyRing, createTokenIssuer } from '@sallyport/auth'
 *
 * const issuer = createTokenIssuer<{ role: 'user' | 'admin' }>({
 *   keys: createKeyRing([process.env.JWT_SECRET ?? '']),
 *   issuer: 'https://api.example',
 *   audience: 'https://api.example',
 * })
 * const { token, expiresIn } = await issuer.issue({ sub: 'user-1', sid: 'session-1', role: 'user' })
 * ```
 */
export function createTokenIssuer<Claims extends object = Record<string, unknown>>(
  options: TokenIssuerOptions,
): TokenIssuer<Claims> {
  const { keys, lifetimeSeconds = 900, typ = defaultTokenType, now = Date.now, id = randomUUID } = options
  const iss = textOption('issuer', options.issuer)
  const aud = textOption('audience', options.audience)
  integerOption('lifetimeSeconds', lifetimeSeconds, 1)
  requireSigner(keys)

  return {
    async issue(claims) {
      textOption('sub', claims.sub)
      const own = ownClaims.find((name) => (claims as Record<string, unknown>)[name] !== undefined)
      if (own !== undefined) throw new TypeError(`${own} is set by the issuer`)
      const { alg, kid, key } = requireSigner(keys)
      const iat = Math.floor(now() / 1000)
      const jti = id()
      const token = await new SignJWT({ ...claims, iss, aud, jti, iat, exp: iat + lifetimeSeconds })
        .setProtectedHeader({ alg, kid, typ })
        .sign(key)
      return { token, id: jti, expiresIn: lifetimeSeconds }
    },
  }
}

const ownClaims: readonly OwnClaims[] = ['iss', 'aud', 'iat', 'exp', 'nbf', 'jti']

function requireSigner(keys: KeyRing) {
  const { signer } = keys
  if (signer === undefined) throw new TypeError('The first key of the ring must be a secret or a private key')
  return signer
}
