import { runSchema } from '@sallyport/internal/run-schema'

/** The registered claims of access tokens (RFC 7519, section 4.1; RFC 9068). */
export interface RegisteredClaims {
  /** The issuer. */
  readonly iss: string
  /** The audience. Absent if the verifier accepts tokens by their client id. */
  readonly aud?: string | readonly string[]
  /** The subject: the id of a user or client. */
  readonly sub: string
  /** The time of issue, in seconds since 1970. */
  readonly iat: number
  /** The expiry, in seconds since 1970. */
  readonly exp: number
  /** The id of the token. */
  readonly jti?: string
  /** The id of the session (OpenID Connect). */
  readonly sid?: string
  /** Scopes, separated by spaces (RFC 8693, section 4.2). */
  readonly scope?: string
}

/** The claims of a verified token: registered and custom ones. Frozen, because the cache shares them. */
export type VerifiedToken<Claims = Record<string, unknown>> = RegisteredClaims & Readonly<Claims>

/** The used part of a Standard Schema (version 1), such as a zod, valibot or arktype schema. */
interface ClaimsSchema<Claims> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: unknown; readonly output: Claims } | undefined
    readonly validate: (value: unknown) => ClaimsSchemaResult<Claims> | Promise<ClaimsSchemaResult<Claims>>
  }
}

type ClaimsSchemaResult<Claims> =
  | { readonly value: Claims; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] }

/**
 * Parses custom claims from all claims of a token with a valid signature: a Standard Schema, or a function that may be
 * asynchronous and throws for invalid claims. The result contains its output and the registered claims. A
 * `SallyportError` is passed on, any other error becomes 401 `INVALID_TOKEN`.
 */
export type ClaimsParser<Claims> =
  ClaimsSchema<Claims> | ((claims: Readonly<Record<string, unknown>>) => Claims | Promise<Claims>)

/** Runs a parser; throws or rejects for invalid claims. */
export function parseClaims<Claims>(
  parser: ClaimsParser<Claims>,
  claims: Readonly<Record<string, unknown>>,
): Claims | Promise<Claims> {
  // A schema can be callable, as in arktype, so the Standard Schema interface is checked first.
  if (!('~standard' in parser)) return parser(claims)
  return runSchema(parser, claims).then(getValue)
}

function getValue<Claims>(result: ClaimsSchemaResult<Claims>): Claims {
  if (result.issues !== undefined) throw new Error('The claims do not fit their schema')
  return result.value
}

/** Picks the registered claims that a token has. */
export function registeredClaims(claims: RegisteredClaims): RegisteredClaims {
  const { iss, aud, sub, iat, exp, jti, sid, scope } = claims
  const registered: { -readonly [Name in keyof RegisteredClaims]: RegisteredClaims[Name] } = {
    iss,
    sub,
    iat,
    exp,
  }
  if (aud !== undefined) registered.aud = aud
  if (jti !== undefined) registered.jti = jti
  if (sid !== undefined) registered.sid = sid
  if (scope !== undefined) registered.scope = scope
  return registered
}

/** Freezes plain objects and arrays recursively; instances of classes stay unchanged. */
export function deepFreeze<T>(value: T): T {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    const prototype: unknown = Object.getPrototypeOf(next)
    if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) continue
    Object.freeze(next)
    for (const member of Object.values(next) as unknown[])
      if (typeof member === 'object') waiting.push(member)
  }
  return value
}
