import { createTokenMissingError } from '@sallyport/auth'
import type { ApiContext } from '@sallyport/rest'

/** The private claims of an access token. */
export interface OwnClaims {
  readonly role: 'user' | 'admin'
  readonly sid: string
}

/** The user of a request, by an access token or by a cookie. */
export interface Caller extends OwnClaims {
  /** The id of the user. */
  readonly sub: string
  /** Whether the session is in a cookie. @default false */
  readonly hasCookie?: boolean
}

/** The context of a request for handlers. */
export type RequestContext = ApiContext<Caller>

/**
 * Returns the caller of a route that is not public.
 *
 * @throws SallyportError 401 `TOKEN_MISSING` without a caller, which the access of the route prevents
 */
export function requireCaller({ caller }: RequestContext): Caller {
  if (caller === undefined) throw createTokenMissingError()
  return caller
}
