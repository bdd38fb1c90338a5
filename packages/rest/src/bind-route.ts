import type { ErrorDetail } from '@sallyport/errors'
import type { ApiContext } from './api/api-context.ts'
import type { ResponseCipher } from './encrypt-responses.ts'
import type { Exact, Immutable } from './exact.ts'
import type { AnyRoute, ResultHeaders, RouteRequest, RouteResult } from './route.ts'

/**
 * Answers the requests of a route. `Context` is any value that the host passes, such as the caller.
 *
 * TypeScript does not check a function declared with this type for undeclared fields. It checks a function that is passed
 * to `bindRoute` directly, unless the route is a type parameter.
 */
export type RouteHandler<R extends AnyRoute, Context = unknown> = (
  request: RouteRequest<R>,
  context: Context,
) => RouteResult<R> | Promise<RouteResult<R>>

/** The result of any route. */
export interface AnyRouteResult {
  readonly status: number
  readonly headers?: ResultHeaders
  readonly body?: unknown
}

/** A route with its type-checked handler. */
export interface RouteBinding<Context = unknown> {
  readonly route: AnyRoute
  /** Takes the result of `readRequest` for this route. */
  readonly handler: (request: RouteRequest<AnyRoute>, context: Context) => Promise<AnyRouteResult>
  /**
   * Finds further problems of a body that its schema rejects, such as conflicts with the stored resource. Pass it to
   * `readRequest` to report all problems at once. The handler itself finds these problems in a body that passes.
   *
   * @default no further problems
   */
  readonly review?: (refused: RefusedBody, context: Context) => Promise<readonly ErrorDetail[]>
  /**
   * Encrypts the bodies of responses that a store saves for an `Idempotency-Key`: for routes whose responses contain a
   * secret.
   *
   * @default bodies are saved as they are
   */
  readonly responseCipher?: ResponseCipher
}

/** A body that its schema rejects, in a request with valid parameters and query. */
export interface RefusedBody {
  /** The parsed path parameters. */
  readonly params: RouteRequest<AnyRoute>['params']
  /** The parsed JSON as sent. */
  readonly body: unknown
}

/** `unknown` if the handler's results have no undeclared fields; otherwise a handler type that does not fit. */
export type ExactHandler<Result, Declared> = [Result] extends [Declared]
  ? unknown
  : (...parameters: never[]) => Declared | Promise<Declared>

/**
 * Binds a handler to a route.
 *
 * A result with an undeclared status, body or field does not compile. The check is limited to types:
 * - If results differ between `return`s or the sides of a `? :`, TypeScript may keep only the type with fewer fields.
 * - `private` fields are not part of a type, and a value may hold more fields than its type.
 *
 * Use `Schema.parse(row)` for a row with secrets. An instance of a class with getters also needs it: the check rejects
 * getters, although JSON does not write them.
 *
 * @example
 * ```ts
 * import { bindRoute, defineRoute } from '@sallyport/rest'
 *
 * const ping = defineRoute({
 *   method: 'GET',
 *   path: '/ping',
 *   operationId: 'ping',
 *   summary: 'Ping',
 *   access: 'public',
 *   responses: { 204: { description: 'Pong' } },
 * })
 * const binding = bindRoute(ping, () => ({ status: 204 }))
 * ```
 */
export function bindRoute<
  R extends AnyRoute,
  // If the route is a type parameter, a handler's literal result has the `Immutable` type because of `const`.
  const Result extends RouteResult<R> | Immutable<RouteResult<R>>,
  // The context of a handler whose parameter has no type.
  Context = ApiContext,
>(
  route: R,
  // A separate type parameter: otherwise TypeScript widens a literal status before R is known.
  handler: ((request: RouteRequest<R>, context: Context) => Result | Promise<Result>) &
    ExactHandler<Result, Exact<Result, RouteResult<R>>>,
): RouteBinding<Context> {
  return {
    route,
    // The erased type cannot express that only requests of this route reach its handler.
    handler: async (request, context) => await handler(request, context),
  }
}
