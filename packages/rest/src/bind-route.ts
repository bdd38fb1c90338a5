import type { ErrorDetail } from '@sallyport/errors'
import type { Exact, Immutable } from './exact.ts'
import type { AnyRoute, RouteRequest, RouteResult } from './route.ts'

/**
 * Answers the requests of a route; `Context` is whatever the host hands along, such as who is calling.
 *
 * A function that is declared with this type is not checked for fields that the route does not declare; one that is given
 * to `bindRoute` as it is, is, unless the route is a type parameter.
 */
export type RouteHandler<R extends AnyRoute, Context = unknown> = (
  request: RouteRequest<R>,
  context: Context,
) => RouteResult<R> | Promise<RouteResult<R>>

/** A result of any route. */
export interface AnyRouteResult {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A route and its handler, the types of which have been checked against each other. */
export interface RouteBinding<Context = unknown> {
  readonly route: AnyRoute
  /** Takes what `readRequest` made of a request to this very route. */
  readonly handler: (request: RouteRequest<AnyRoute>, context: Context) => Promise<AnyRouteResult>
  /**
   * What else is wrong with a body that its schema refuses, such as what only the stored resource can tell. Hand it to
   * `readRequest`, so that all problems are reported at once; the handler finds them itself in bodies that pass.
   *
   * @default nothing
   */
  readonly review?: (refused: RefusedBody, context: Context) => Promise<readonly ErrorDetail[]>
}

/** A body that its schema refuses, in a request whose parameters and query are valid. */
export interface RefusedBody {
  /** What the schema of the path's parameters made of them. */
  readonly params: RouteRequest<AnyRoute>['params']
  /** The parsed JSON, as it was sent. */
  readonly body: unknown
}

/** Nothing more to ask of a handler whose results have no undeclared fields; of another, what they would have to be. */
type ExactHandler<Result, Declared> = [Result] extends [Declared]
  ? unknown
  : (...parameters: never[]) => Declared | Promise<Declared>

/**
 * Binds a handler to a route.
 *
 * A result with a status, a body or a field that the route does not declare does not compile, as far as its type tells.
 * Of results of several types, in two `return`s or the sides of a `? :`, TypeScript may know only the one with fewer
 * fields; `private` fields of a class no type shows, and a value may hold more than its type says. Answer with
 * `Schema.parse(row)` where a row has secrets; and of an instance of a class with getters, which is refused for them
 * although JSON writes none that stands on a prototype.
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
  // The result of a handler whose route is a type parameter is the one, a literal, being `const`, the other.
  const Result extends RouteResult<R> | Immutable<RouteResult<R>>,
  Context = unknown,
>(
  route: R,
  // The result is a parameter of its own because a literal status is otherwise widened before R is known.
  handler: ((request: RouteRequest<R>, context: Context) => Result | Promise<Result>) &
    ExactHandler<Result, Exact<Result, RouteResult<R>>>,
): RouteBinding<Context> {
  return {
    route,
    // Only requests to this route reach its handler, which the erased type cannot express.
    handler: async (request, context) => await handler(request, context),
  }
}
