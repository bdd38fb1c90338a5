import type { WithContracts } from '../contract.ts'
import type { RouteBinding } from '../route-binding.ts'
import type { CursorCodec } from '../cursor.ts'
import type { IdempotencyStore } from '../idempotency-store.ts'
import type { IdempotentRunner } from '../idempotency.ts'
import type { AnyRoute } from '../route.ts'
import type { ApiContext } from './api-context.ts'
import type { ApiRequest, ApiResponse } from './api-request.ts'
import type { CorsOptions } from './cors.ts'
import type { ApiRateLimits } from './rate-limits.ts'

/** Options of an API. `Caller` is the result of `authenticate`, `Dependencies` the result of `context`. */
export interface ApiOptions<Caller, Dependencies extends object> {
  readonly routes: readonly RouteBinding<ApiContext<Caller> & Dependencies>[]
  /**
   * Authenticates a request; throws a SallyportError 401 without valid credentials. Undefined or null is answered 401, too.
   * Required if a route is not public.
   * `createBearerAuthentication` of `@sallyport/auth` creates such a function.
   */
  readonly authenticate?: Authenticate<Caller>
  /** Reports whether a caller has one of the roles. @default compares the caller's `role` */
  readonly hasRole?: (caller: Caller, roles: readonly string[]) => boolean
  /** Returns the id of a caller, for rate limits and idempotency keys. @default the caller's `sub`, otherwise its `id` */
  readonly getCallerId?: (caller: Caller) => string
  /** Creates the dependencies of the handlers for each request, such as a database transaction. @default none */
  readonly context?: (context: ApiContext<Caller>) => Dependencies | Promise<Dependencies>
  /**
   * Secrets of at least 32 bytes that sign cursors and fingerprint the bodies of idempotent requests. The first signs, all
   * verify. Required if a route has cursor pages or an idempotency key, unless `cursors` and `idempotency` are set.
   */
  readonly secrets?: readonly string[]
  /** The codec of cursors. @default a codec with keys derived from `secrets` */
  readonly cursors?: CursorCodec
  /** The store or the runner of requests with an `Idempotency-Key`. Required if a route has `idempotencyKey`. */
  readonly idempotency?: IdempotencyStore | IdempotentRunner
  /** The rate limits by name, in this process or in a store. @default `default`: 600 requests per client and minute */
  readonly rateLimits?: ApiRateLimits
  /**
   * Creates routes that document the API, such as `createDocuments` of `@sallyport/rest/openapi`.
   *
   * @default none
   */
  readonly documents?: (routes: readonly AnyRoute[]) => readonly RouteBinding[]
  /**
   * What the API does with responses that do not match the schemas of their routes.
   *
   * - `check` answers 500 for a response that does not match, and for an undeclared field. `onError` receives an error with the
   *   operation and the path of the field, without values. The schemas must accept their own output, so they cannot convert types.
   * - `strip` removes undeclared fields, and does not validate. A schema without JSON Schema is run, and must then match.
   * - `trust` does nothing.
   *
   * @default 'check' if `NODE_ENV` is `development` or `test`, otherwise 'strip'
   */
  readonly responseSchemas?: 'trust' | 'check' | 'strip'
  /** Largest JSON body in bytes. @default 1_048_576 */
  readonly bodyLimit?: number
  /** Timeout of a request in milliseconds, after which the response is 503. @default 30_000 */
  readonly timeoutMs?: number
  /**
   * The path that a proxy removes from requests, such as `/shop`. `Location`, `Link`, `mountPath` and the default server of
   * `createDocuments` begin with it. The option `servers` of `createDocuments` is unchanged.
   *
   * @default '' for a proxy that passes the path on unchanged
   */
  readonly proxyPath?: string
  /** Cross-origin access for browsers. @default none */
  readonly cors?: CorsOptions
  /** Converts an error of a handler, such as a lock timeout of a database, before it is answered. @default unchanged */
  readonly mapError?: (error: unknown) => unknown
  /** Called for responses with a status of 500 and above, for background tasks and stores that fail. */
  readonly onError?: (error: unknown, request: ApiRequest) => void
  /** Called when the route of a request is known, before the request is authenticated. */
  readonly onRoute?: (route: AnyRoute, request: ApiRequest) => void
  /** Called with every response, for access logs and audit logs. */
  readonly onResponse?: (event: ApiEvent<Caller>) => void
}

/** Authenticates a request. */
export type Authenticate<Caller> = (
  request: ApiRequest,
  context: AuthenticationContext,
) => Caller | Promise<Caller>

/** The route of a request to authenticate, and its response. */
export interface AuthenticationContext {
  /** The route, for credentials that not every route accepts. */
  readonly route: AnyRoute
  /**
   * Sets a header of the response, also of an error. A header of the handler takes precedence, but every `Set-Cookie` is sent.
   */
  readonly setHeader: (name: string, value: string) => void
}

/** A request and its response. */
export interface ApiEvent<Caller = unknown> {
  readonly request: ApiRequest
  /** Undefined for an unknown path or method. */
  readonly route: AnyRoute | undefined
  readonly caller: Caller | undefined
  /** The IPv4 address of the client, or its IPv6 network with a prefix of 64 bits; `unknown` without an address. */
  readonly clientNetwork: string
  readonly status: number
  /** The error that caused the response; undefined for success. */
  readonly error: unknown
  readonly durationMs: number
}

/**
 * An API for any host. The entries of this package such as `@sallyport/rest/node` connect it to a server.
 *
 * `Contracts` are the types of the routes, for a client.
 */
export interface Api<Contracts = unknown> extends WithContracts<Contracts> {
  /** Answers a request. It does not reject: errors become responses. */
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>
  readonly routes: readonly AnyRoute[]
  /** The largest body in bytes that the API reads. */
  readonly bodyLimit: number
  /** Waits for the background tasks. */
  readonly close: () => Promise<void>
}
