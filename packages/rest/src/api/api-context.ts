import type { AnyRouteResult } from '../route-binding.ts'
import type { ConditionalRequest } from '../conditional.ts'
import type { CursorCodec } from '../cursor.ts'
import type { IdempotencyStore } from '../idempotency-store.ts'
import type { ListAddress } from '../link.ts'
import type { RouteMethod } from '../route.ts'
import type { ApiResponse } from './api-request.ts'
import type { RateLimitResult } from './memory-rate-limit.ts'

/** A request that a handler sends to its own API. */
export interface DispatchedRequest {
  readonly method: RouteMethod
  /** The percent-encoded path, without the mount path. */
  readonly path: string
  /** The query with its `?`; empty without a query. */
  readonly query: string
  /** The value of a JSON body. @default no body */
  readonly body?: unknown
}

/** The context of a request that handlers receive. `Caller` is the result of the API's `authenticate`. */
export interface ApiContext<Caller = unknown> {
  readonly requestId: string
  /** The requested address, for links to other pages. */
  readonly address: ListAddress
  /** The path with normalized parameters, without the mount path. */
  readonly path: string
  /** The path that clients reach the API at, such as `/api/v1`, with the `proxyPath` of the API; empty at the root. */
  readonly mountPath: string
  /** The IPv4 address of the client, or its IPv6 network with a prefix of 64 bits; `unknown` without an address. */
  readonly clientNetwork: string
  /** Returns the value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** The preconditions of the request, for `checkPreconditions`. */
  readonly conditions: Omit<ConditionalRequest, 'etag'> & {
    /** Removes the fields of the resource that no response has, as the ETag requires. @default no change */
    readonly represent?: (resource: unknown) => unknown
  }
  /** The codec of cursors; undefined if the API has no `secrets` and no `cursors`. */
  readonly cursors?: CursorCodec
  /** The caller; undefined on a public route. */
  readonly caller?: Caller
  /** Authenticates the caller of a public route; undefined without valid credentials. */
  readonly identify: () => Promise<Caller | undefined>
  /**
   * Authenticates the request again and checks the access of the route, for responses that take minutes. False once the
   * credentials or the role of the caller have ended; also when the check fails.
   */
  readonly isStillAllowed: () => Promise<boolean>
  /**
   * Aborts when the client disconnects, or closes its half of the connection, or the timeout of the API passes. Created when it is read: a copy of the context by
   * `{ ...context }` has no signal.
   */
  readonly signal: AbortSignal
  /** Adds the state of another rate limit to the headers of the response. */
  readonly showRateLimit: (state: RateLimitResult) => void
  /**
   * Sends another request to the API with the credentials of this one. All checks of its route apply. Headers that describe
   * the content, preconditions and the idempotency key of this request do not apply to the other one.
   */
  readonly dispatch: (request: DispatchedRequest) => Promise<ApiResponse>
  /**
   * Stores the result for the `Idempotency-Key` in the transaction of the change. Call it last in the transaction and
   * return the same result. Undefined without a key.
   */
  readonly saveResult?: (result: AnyRouteResult, store: Pick<IdempotencyStore, 'complete'>) => Promise<void>
  /**
   * Runs a task after the response, such as sending an email. `close` of the API waits for the task. The task is lost if
   * the process crashes; use a queue for work that must happen.
   *
   * @throws SallyportError 503 `OVERLOADED` while 1,000 tasks run
   */
  readonly runAfter: (task: () => unknown) => void
}
