/** The claims that every access token has, and the ones that the kit knows (RFC 7519, section 4.1; RFC 9068). */
export interface RegisteredClaims {
  /** Who issued the token. */
  readonly iss: string
  /** Whom it is for. */
  readonly aud: string | readonly string[]
  /** Whose it is: the id of a user or client. */
  readonly sub: string
  /** When it was issued, in seconds since 1970. */
  readonly iat: number
  /** When it expires, in seconds since 1970. */
  readonly exp: number
  /** The token's own id. */
  readonly jti?: string
  /** The session that it belongs to (OpenID Connect). */
  readonly sid?: string
  /** Scopes, separated by spaces (RFC 8693, section 4.2). */
  readonly scope?: string
}

/** A verified token's claims: the registered ones and the caller's own. Frozen, because a cache hands them out. */
export type VerifiedToken<Claims> = RegisteredClaims & Readonly<Claims>

/** The part of a Standard Schema (version 1) that is used here; zod, valibot and arktype schemas are ones. */
export interface ClaimsSchema<Claims> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => ClaimsSchemaResult<Claims> | Promise<ClaimsSchemaResult<Claims>>
  }
}

export type ClaimsSchemaResult<Claims> =
  | { readonly value: Claims; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] }

/**
 * Reads the caller's own claims out of all claims of a token whose signature holds: a Standard Schema, or a function,
 * asynchronous or not, that throws when they are not right. What it leaves out is left out of the result, the registered
 * claims excepted. A `SallyportError` that it throws is answered as it is, any other error as 401 `INVALID_TOKEN`.
 */
export type ClaimsParser<Claims> =
  ClaimsSchema<Claims> | ((claims: Readonly<Record<string, unknown>>) => Claims | Promise<Claims>)

/** Runs a parser; throws or rejects when the claims are not right. */
export function parseClaims<Claims>(
  parser: ClaimsParser<Claims>,
  claims: Readonly<Record<string, unknown>>,
): Claims | Promise<Claims> {
  // A schema may be callable too (arktype's are), so the standard's key is asked first.
  if (!('~standard' in parser)) return parser(claims)
  const result = parser['~standard'].validate(claims)
  return result instanceof Promise ? result.then(valueOf) : valueOf(result)
}

function valueOf<Claims>(result: ClaimsSchemaResult<Claims>): Claims {
  if (result.issues !== undefined) throw new Error('The claims do not fit their schema')
  return result.value
}

/** The registered claims among all of a token; those that it does not have are left out. */
export function registeredClaims(claims: RegisteredClaims): RegisteredClaims {
  const { iss, aud, sub, iat, exp, jti, sid, scope } = claims
  const registered: { -readonly [Name in keyof RegisteredClaims]: RegisteredClaims[Name] } = {
    iss,
    aud,
    sub,
    iat,
    exp,
  }
  if (jti !== undefined) registered.jti = jti
  if (sid !== undefined) registered.sid = sid
  if (scope !== undefined) registered.scope = scope
  return registered
}

/** Freezes plain objects and arrays all the way down; instances of classes stay as they are. */
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
