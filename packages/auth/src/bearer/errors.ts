import { SallyportError } from '@sallyport/errors'

/** Creates 401 `TOKEN_MISSING` for a request without a bearer token. Its challenge has no error attribute. */
export function createTokenMissingError({ realm, ...options }: ChallengeOptions = {}): SallyportError {
  return new SallyportError(
    'TOKEN_MISSING',
    'Send an access token in the header "Authorization: Bearer <token>"',
    {
      ...options,
      headers: { 'WWW-Authenticate': formatBearerChallenge(realm === undefined ? {} : { realm }) },
    },
  )
}

/**
 * Creates 401 `INVALID_TOKEN`. The message is the same for every reason, so that it does not help an attacker. Pass the
 * reason as `cause`, for the log.
 */
export function createInvalidTokenError({ realm, ...options }: ChallengeOptions = {}): SallyportError {
  return refused('The access token is not valid; get a new one', realm, options)
}

/** Creates 401 `INVALID_TOKEN` for a refresh token, with the same message for every reason. */
export function createInvalidRefreshTokenError({ realm, ...options }: ChallengeOptions = {}): SallyportError {
  return refused('The refresh token is not valid; log in again', realm, options)
}

function refused(message: string, realm: string | undefined, options: ErrorOptions): SallyportError {
  const challenge = formatBearerChallenge({ error: 'invalid_token', ...(realm !== undefined && { realm }) })
  return new SallyportError('INVALID_TOKEN', message, {
    ...options,
    headers: { 'WWW-Authenticate': challenge },
  })
}

/** The parameters of a `WWW-Authenticate: Bearer` header (RFC 6750, section 3). */
export interface BearerChallenge {
  /** The name of the protected space: printable ASCII without quotes and backslashes. @default 'api' */
  readonly realm?: string
  /** Absent when the request has no token (RFC 6750, section 3.1). */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope'
  /** The required scopes, with `insufficient_scope`. */
  readonly scopes?: readonly string[]
}

/** The options of an error with a challenge. */
export interface ChallengeOptions extends ErrorOptions {
  /** The realm of the `WWW-Authenticate` header. @default 'api' */
  readonly realm?: string
}

// scope-token of RFC 6749, section 3.3; a realm may also contain spaces.
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const quotable = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/

/**
 * Formats the value of a `WWW-Authenticate` header of the Bearer scheme.
 *
 * @throws TypeError for a realm or scope that does not fit into a quoted string
 * @example
 * ```ts
 * import { formatBearerChallenge } from '@sallyport/auth'
 *
 * formatBearerChallenge({ error: 'invalid_token' }) // Bearer realm="api", error="invalid_token"
 * ```
 */
export function formatBearerChallenge({ realm = 'api', error, scopes = [] }: BearerChallenge = {}): string {
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
