/** What a `WWW-Authenticate: Bearer` header says (RFC 6750, section 3). */
export interface BearerChallenge {
  /** Name of the protected space: printable ASCII without quotes and backslashes. @default 'api' */
  readonly realm?: string
  /** Absent when the request carried no token at all (RFC 6750, section 3.1). */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope'
  /** The scopes that are needed, with `insufficient_scope`. */
  readonly scopes?: readonly string[]
}

/** What every error that carries a challenge takes. */
export interface ChallengeOptions extends ErrorOptions {
  /** The realm of the `WWW-Authenticate` header. @default 'api' */
  readonly realm?: string
}

// scope-token of RFC 6749, section 3.3; a realm may hold spaces besides.
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const quotable = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/

/**
 * The value of a `WWW-Authenticate` header of the Bearer scheme.
 *
 * @throws TypeError for a realm or scope that does not fit into a quoted string.
 * @example
 * ```ts
 * import { bearerChallenge } from '@sallyport/auth'
 *
 * bearerChallenge({ error: 'invalid_token' }) // Bearer realm="api", error="invalid_token"
 * ```
 */
export function bearerChallenge({ realm = 'api', error, scopes = [] }: BearerChallenge = {}): string {
  if (!quotable.test(realm))
    throw new TypeError('realm must be printable ASCII without quotes or backslashes')
  if (!scopes.every((scope) => scopeToken.test(scope))) {
    throw new TypeError('scopes must be scope tokens of RFC 6749: printable ASCII without spaces and quotes')
  }
  const params = [`realm="${realm}"`]
  if (error !== undefined) params.push(`error="${error}"`)
  if (scopes.length > 0) params.push(`scope="${scopes.join(' ')}"`)
  return `Bearer ${params.join(', ')}`
}
