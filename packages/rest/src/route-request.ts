import { isSallyportError, type ErrorDetail } from '@sallyport/errors'
import type { RefusedBody } from './bind-route.ts'
import { pack } from './cursor.ts'
import { isListQuery } from './define-route.ts'
import { validateIdempotencyKey } from './idempotency.ts'
import { invalidInput, safeValidate, type InvalidInputOptions } from './validate.ts'
import type { ParseListQueryOptions } from './list-query.ts'
import { parseQueryString } from './query-string.ts'
import type { AnyRoute, RouteRequest } from './route.ts'
import { isScalar, type Scalar } from './scalar.ts'

/** A request before validation. */
export interface RawRouteRequest {
  /** The parameters as the router decoded them. */
  readonly params: Readonly<Record<string, string>>
  /** The text after the `?`, or a `URLSearchParams`. */
  readonly query: string | URLSearchParams
  /** The parsed JSON body; `undefined` without a body. */
  readonly body?: unknown
  /** The value of `Idempotency-Key` if the route honors it, so that the error also reports a malformed key. */
  readonly idempotencyKey?: string | undefined
}

export interface ReadRequestOptions extends ParseListQueryOptions {
  /**
   * Additional text that cursors are bound to.
   *
   * @default the path of the route with the parsed values of its parameters
   */
  readonly scope?: string
  /**
   * The code and status for invalid input.
   *
   * @default as the route's list query sets when that is invalid, otherwise `VALIDATION_ERROR` (400)
   */
  readonly invalid?: InvalidInputOptions
  /**
   * Finds further problems of a body that its schema rejects. Called only when params, query and idempotency key pass.
   *
   * @default no further problems
   */
  readonly review?: (refused: RefusedBody) => Promise<readonly ErrorDetail[]>
}

/**
 * Validates a request against its route and reports all problems of params, query, body and idempotency key at once.
 *
 * A query that the route does not declare is ignored.
 *
 * @throws SallyportError `VALIDATION_ERROR` (400, or as `invalid` sets) with a detail for each problem
 * @throws TypeError without `cursors` when the route's list query has cursor pages
 *
 * @example
 * ```ts
 * import { defineRoute, readRequest } from '@sallyport/rest'
 *
 * const health = defineRoute({
 *   method: 'GET',
 *   path: '/rooms/{id}',
 *   operationId: 'getRoom',
 *   summary: 'Get a room',
 *   access: 'public',
 *   responses: { 204: { description: 'The room exists' } },
 * })
 * const { params } = await readRequest(health, { params: { id: '7' }, query: '' })
 * params.id // '7'
 * ```
 */
export async function readRequest<R extends AnyRoute>(
  route: R,
  raw: RawRouteRequest,
  options: ReadRequestOptions = {},
): Promise<RouteRequest<R>> {
  const sent = raw.body === undefined && route.bodyRequired === false ? {} : raw.body
  const params =
    route.params === undefined ? { value: raw.params } : await safeValidate(route.params, raw.params)
  const [query, body] = await Promise.all([
    validateQuery(route, raw, 'value' in params ? params.value : {}, options),
    route.body === undefined ? { value: undefined } : safeValidate(route.body, sent),
  ])
  const keyDetails = raw.idempotencyKey === undefined ? [] : validateIdempotencyKey(raw.idempotencyKey)
  if ('problems' in params || 'problems' in query || 'problems' in body || keyDetails.length > 0) {
    const problems = [params, query, body].flatMap((part) => ('problems' in part ? part.problems : []))
    problems.push(...keyDetails)
    if ('problems' in body && 'value' in params && 'value' in query && options.review !== undefined) {
      const refused = { params: params.value as RefusedBody['params'], body: raw.body }
      problems.push(...(await options.review(refused)))
    }
    const own = 'problems' in query ? query.invalid : undefined
    throw invalidInput('The request is not valid', problems, options.invalid ?? own)
  }
  // The general type cannot express that the schemas of this route made the values.
  return { params: params.value, query: query.value, body: body.value } as RouteRequest<R>
}

type QueryResult =
  | { readonly value: unknown }
  | { readonly problems: readonly ErrorDetail[]; readonly invalid?: InvalidInputOptions }

async function validateQuery(
  { query, path }: AnyRoute,
  { query: input, params: sent }: RawRouteRequest,
  params: unknown,
  options: ReadRequestOptions,
): Promise<QueryResult> {
  if (query === undefined) return { value: undefined }
  if (!isListQuery(query)) {
    const { values, problems } = parseQueryString(input)
    const result = await safeValidate(query, Object.fromEntries(values))
    if (problems.length === 0) return result
    return { problems: [...problems, ...('problems' in result ? result.problems : [])] }
  }
  try {
    const scope = options.scope ?? formatScope(path, sent, params)
    return { value: query.parse(input, { ...options, scope }) }
  } catch (error) {
    // A query over the limits has one error without details.
    if (!isSallyportError(error) || error.details === undefined) throw error
    return { problems: error.details, invalid: { code: error.code, status: error.status } }
  }
}

/** Identifies a path by its parsed parameters, so that all spellings of the path have one scope. */
function formatScope(path: string, sent: RawRouteRequest['params'], read: unknown): string {
  const params = Object.entries({ ...sent, ...(read as object) })
  // JSON does not distinguish values that are not scalars.
  const isPlain = params.every(([, value]) => isScalar(value))
  const values = params.map(([name, value]) => [name, pack(value as Scalar)] as const)
  return JSON.stringify([path, isPlain ? Object.fromEntries(values) : sent])
}
