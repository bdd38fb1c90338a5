import type { ErrorDetail } from '@sallyport/errors'
import type { ApiContext } from './api/api-context.ts'
import type { ResponseCipher } from './encrypt-responses.ts'
import type { AnyRoute, ResultHeaders, RouteRequest } from './route.ts'

/** The result of any route. */
export interface AnyRouteResult {
  readonly status: number
  readonly headers?: ResultHeaders
  readonly body?: unknown
}

/** A route with its handler. */
export interface RouteBinding<Context = ApiContext> {
  readonly route: AnyRoute
  /** Takes the validated request. A test can call it without an API. */
  readonly handler: (request: RouteRequest<AnyRoute>, context: Context) => Promise<AnyRouteResult>
  /**
   * Finds further problems of a body that its schema rejects, such as conflicts with the stored resource, so that a
   * response reports all problems at once. The handler itself finds these problems in a body that passes.
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
