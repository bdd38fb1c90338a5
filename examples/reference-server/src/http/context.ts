import { createTokenMissingError, type VerifiedToken } from '@sallyport/auth'
import type { ApiContext } from '@sallyport/rest'

/** The private claims of an access token. */
export interface OwnClaims {
  readonly role: 'user' | 'admin'
  readonly sid: string
}

export type Caller = VerifiedToken<OwnClaims>

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
