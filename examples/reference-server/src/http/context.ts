import { createTokenMissingError, type VerifiedToken } from '@sallyport/auth'
import type { AnyRouteResult, ConditionalRequest, ListAddress } from '@sallyport/rest'
import type { IdempotencyStore } from '@sallyport/rest/store'
import type { LimitState } from './rate-limit.ts'

/** The private claims of an access token. */
export interface OwnClaims {
  readonly role: 'user' | 'admin'
  readonly sid: string
}

export type Caller = VerifiedToken<OwnClaims>

/** The context of a request for handlers. */
export interface RequestContext {
  readonly requestId: string
  /** The requested address, for links. */
  readonly address: ListAddress
  /** The normalized path without the mount path. */
  readonly path: string
  /** The network of the client, for rate limits. */
  readonly network: string
  /** The preconditions of the request. */
  readonly conditions: Omit<ConditionalRequest, 'etag'>
  /** Adds the state of another rate limit to the headers of the response. */
  readonly showRateLimit: (state: LimitState) => void
  /**
   * Stores a result for the `Idempotency-Key`, in the transaction of the change; undefined without a key.
   */
  readonly keep?: (result: AnyRouteResult, store: Pick<IdempotencyStore, 'complete'>) => Promise<void>
  /** The caller; undefined on public routes. */
  readonly caller?: Caller
  /** Identifies the caller of a public route; undefined without a valid token. */
  readonly identify: () => Promise<Caller | undefined>
}

/**
 * Returns the caller of a route that is not public.
 * @throws SallyportError 401 `TOKEN_MISSING` without a caller, which the access of the route prevents
 */
export function requireCaller({ caller }: RequestContext): Caller {
  if (caller === undefined) throw createTokenMissingError()
  return caller
}
