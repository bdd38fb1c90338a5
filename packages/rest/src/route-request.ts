import { isSallyportError, type ErrorDetail } from '@sallyport/errors'
import type { RefusedBody } from './bind-route.ts'
import { pack } from './cursor.ts'
import { isListQuery } from './define-route.ts'
import { keyProblems } from './idempotency-key.ts'
import { invalidInput, type InvalidInputOptions } from './invalid.ts'
import type { ParseListQueryOptions } from './list-query.ts'
import { readQuery } from './query-string.ts'
import type { AnyRoute, RouteRequest } from './route.ts'
import { isScalar, type Scalar } from './scalar.ts'
import { check } from './validate.ts'

/** A request before validation. */
export interface RawRouteRequest {
  /** As the router decoded them. */
  readonly params: Readonly<Record<string, string>>
  /** The text after the `?`, or a `URLSearchParams`. */
  readonly query: string | URLSearchParams
  /** The parsed JSON body; undefined when there is none. */
  readonly body?: unknown
  /** The value of `Idempotency-Key`, where it is honoured, so that what is wrong with it is reported with the rest. */
  readonly idempotencyKey?: string | undefined
}

export interface ReadRequestOptions extends ParseListQueryOptions {
  /**
   * What else cursors are bound to.
   *
   * @default the route's path with the values of its parameters, as their schema reads them
   */
  readonly scope?: string
  /**
   * How invalid input is answered.
   *
   * @default as the route's list query says when that is invalid, otherwise `VALIDATION_ERROR` (400)
   */
  readonly invalid?: InvalidInputOptions
  /**
   * Finds what else is wrong with a body that its schema refuses; asked when the rest of the request is valid.
   *
   * @default nothing
   */
  readonly review?: (refused: RefusedBody) => Promise<readonly ErrorDetail[]>
}

/**
 * Validates a request against its route, every problem of parameters, query, body and idempotency key at once.
 *
 * A query that the route does not declare is not looked at.
 *
 * @throws SallyportError `VALIDATION_ERROR` (400, or as `invalid` says) with a detail for each problem
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
 *   responses: { 204: { description: 'It is there' } },
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
  const params = route.params === undefined ? { value: raw.params } : await check(route.params, raw.params)
  const [query, body] = await Promise.all([
    checkQuery(route, raw, 'value' in params ? params.value : {}, options),
    route.body === undefined ? { value: undefined } : check(route.body, sent),
  ])
  const ofKey = raw.idempotencyKey === undefined ? [] : keyProblems(raw.idempotencyKey)
  if ('problems' in params || 'problems' in query || 'problems' in body || ofKey.length > 0) {
    const problems = [params, query, body].flatMap((part) => ('problems' in part ? part.problems : []))
    problems.push(...ofKey)
    if ('problems' in body && 'value' in params && 'value' in query && options.review !== undefined) {
      const refused = { params: params.value as RefusedBody['params'], body: raw.body }
      problems.push(...(await options.review(refused)))
    }
    const own = 'problems' in query ? query.invalid : undefined
    throw invalidInput('The request is not valid', problems, options.invalid ?? own)
  }
  // The values are what the schemas of this route made, which the general type cannot express.
  return { params: params.value, query: query.value, body: body.value } as RouteRequest<R>
}

type CheckedQuery =
  | { readonly value: unknown }
  | { readonly problems: readonly ErrorDetail[]; readonly invalid?: InvalidInputOptions }

async function checkQuery(
  { query, path }: AnyRoute,
  { query: input, params: sent }: RawRouteRequest,
  params: unknown,
  options: ReadRequestOptions,
): Promise<CheckedQuery> {
  if (query === undefined) return { value: undefined }
  if (!isListQuery(query)) {
    const { values, problems } = readQuery(input)
    const checked = await check(query, Object.fromEntries(values))
    if (problems.length === 0) return checked
    return { problems: [...problems, ...('problems' in checked ? checked.problems : [])] }
  }
  try {
    const scope = options.scope ?? scopeOf(path, sent, params)
    return { value: query.parse(input, { ...options, scope }) }
  } catch (error) {
    // Past the bounds there is no list of problems, only the one.
    if (!isSallyportError(error) || error.details === undefined) throw error
    return { problems: error.details, invalid: { code: error.code, status: error.status } }
  }
}

/** One text for all spellings of a path that handlers are told the same of. */
function scopeOf(path: string, sent: RawRouteRequest['params'], read: unknown): string {
  const params = Object.entries({ ...sent, ...(read as object) })
  // What JSON does not tell apart would make one list of several.
  const isPlain = params.every(([, value]) => isScalar(value))
  const values = params.map(([name, value]) => [name, pack(value as Scalar)] as const)
  return JSON.stringify([path, isPlain ? Object.fromEntries(values) : sent])
}
