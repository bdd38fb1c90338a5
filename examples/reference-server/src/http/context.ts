import { createTokenMissingError, type VerifiedToken } from '@sallyport/auth'
import type { AnyRouteResult, ConditionalRequest, ListAddress } from '@sallyport/rest'
import type { IdempotencyStore } from '@sallyport/rest/store'
import type { Standing } from './rate-limit.ts'

/** The claims of an access token beside the registered ones. */
export interface OwnClaims {
  readonly role: 'user' | 'admin'
  readonly sid: string
}

export type Caller = VerifiedToken<OwnClaims>

/** What handlers are told of a request beside its validated parts. */
export interface RequestContext {
  readonly requestId: string
  /** What the client asked for, as links are made from it. */
  readonly address: ListAddress
  /** The path of that in its one spelling, below what the API is mounted at. */
  readonly path: string
  /** The network that the request comes from, as requests are counted by it. */
  readonly network: string
  /** The preconditions that a change is made under. */
  readonly conditions: Omit<ConditionalRequest, 'etag'>
  /** Shows where the client stands with a further rate limit, in the headers of the response. */
  readonly showStanding: (standing: Standing) => void
  /**
   * Keeps a result for the request's `Idempotency-Key`, by a store over the transaction that it came about in; absent
   * where the request has none.
   */
  readonly keep?: (result: AnyRouteResult, store: Pick<IdempotencyStore, 'complete'>) => Promise<void>
  /** Who is calling; absent on public routes. */
  readonly caller?: Caller
  /** Who is calling a public route that tells some callers more; undefined without a valid token. */
  readonly identify: () => Promise<Caller | undefined>
}

/**
 * Who is calling a route that is not public.
 *
 * @throws SallyportError 401 `TOKEN_MISSING` when nobody was authenticated, which the route's access prevents
 */
export function callerOf({ caller }: RequestContext): Caller {
  if (caller === undefined) throw createTokenMissingError()
  return caller
}
