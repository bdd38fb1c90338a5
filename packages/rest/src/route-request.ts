import { isSallyportError, type ErrorDetail } from '@sallyport/errors'
import { getBodySchema } from './api/request-body.ts'
import type { RefusedBody } from './route-binding.ts'
import { pack } from './cursor.ts'
import { isListQuery } from './check-route.ts'
import { validateIdempotencyKey } from './idempotency.ts'
import { invalidInput, safeValidate, type InvalidInputOptions, type ValidationResult } from './validate.ts'
import type { ParseListQueryOptions } from './list-query.ts'
import { readCookie } from './cookie.ts'
import { findUnknownNames, getReader, readQuerySchema, readTexts } from './parameter-schemas.ts'
import { defaultQueryLimits, parseQueryString } from './query-string.ts'
import type { AnyRoute, RouteRequest, TextSchemas } from './route.ts'
import { isScalar, type Scalar } from './scalar.ts'

/** A request before validation. */
export interface RawRouteRequest {
  /** The parameters as the router decoded them. */
  readonly params: Readonly<Record<string, string>>
  /** The text after the `?`, or a `URLSearchParams`. */
  readonly query: string | URLSearchParams
  /** Returns the value of a header by its lower-case name. @default no headers */
  readonly header?: (name: string) => string | undefined
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
 * Validates a request against its route and reports all problems of its parts at once.
 *
 * The query is ignored if the route declares none.
 *
 * @throws SallyportError `VALIDATION_ERROR` (400, or as `invalid` sets) with a detail for each problem
 * @throws TypeError without `cursors` when the route's list query has cursor pages
 */
export async function readRequest<R extends AnyRoute>(
  route: R,
  raw: RawRouteRequest,
  options: ReadRequestOptions = {},
): Promise<RouteRequest<R>> {
  const sent = raw.body === undefined && route.bodyRequired === false ? {} : raw.body
  const params =
    route.params === undefined ? { value: raw.params } : await safeValidate(route.params, raw.params, 'path')
  const { header = () => undefined } = raw
  const [query, headers, cookies, body] = await Promise.all([
    validateQuery(route, raw, 'value' in params ? params.value : {}, options),
    validateTexts(route.headers, 'header', (name) => header(name.toLowerCase())),
    validateTexts(route.cookies, 'cookie', (name) => readCookie(header('cookie') ?? '', name)),
    route.body === undefined ? { value: undefined } : safeValidate(getBodySchema(route.body), sent),
  ])
  const keyDetails = raw.idempotencyKey === undefined ? [] : validateIdempotencyKey(raw.idempotencyKey)
  const parameters = [params, query, headers, cookies]
  const problems = [...parameters, body].flatMap((part) => ('problems' in part ? part.problems : []))
  problems.push(...keyDetails)
  if (problems.length > 0) {
    if ('problems' in body && parameters.every((part) => 'value' in part) && options.review !== undefined) {
      const refused = { params: getValue(params) as RefusedBody['params'], body: raw.body }
      const found = await options.review(refused)
      problems.push(...found.map((problem): ErrorDetail => ({ code: 'INVALID', in: 'body', ...problem })))
    }
    const own = 'problems' in query ? query.invalid : undefined
    throw invalidInput('The request is not valid', problems, options.invalid ?? own)
  }
  const request: Readonly<Record<keyof RouteRequest<AnyRoute>, unknown>> = {
    params: getValue(params),
    query: getValue(query),
    headers: getValue(headers),
    cookies: getValue(cookies),
    body: getValue(body),
  }
  // The general type cannot express that the schemas of this route made the values.
  return request as RouteRequest<R>
}

const getValue = (part: ValidationResult<unknown>): unknown => ('value' in part ? part.value : undefined)

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
    const schema = readQuerySchema(query)
    const { values, lists, problems } = parseQueryString(
      input,
      defaultQueryLimits,
      (name) => getReader(schema, name).isList,
    )
    const texts = new Map([...[...values].map(([name, text]) => [name, [text]] as const), ...lists])
    const result = await safeValidate(query, readTexts(schema, texts), 'query')
    const all = [...problems, ...findUnknownNames(schema, values.keys())]
    if (all.length === 0) return result
    return { problems: [...all, ...('problems' in result ? result.problems : [])] }
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

/** Validates headers or cookies, each by its schema. */
async function validateTexts(
  schemas: TextSchemas | undefined,
  location: 'header' | 'cookie',
  read: (name: string) => string | undefined,
): Promise<ValidationResult<unknown>> {
  if (schemas === undefined) return { value: undefined }
  const results = await Promise.all(
    Object.entries(schemas).map(async ([name, schema]) => {
      return [name, await safeValidate(schema, read(name), location)] as const
    }),
  )
  const problems = results.flatMap(([name, result]) =>
    'problems' in result ? result.problems.map((problem) => ({ ...problem, field: name })) : [],
  )
  if (problems.length > 0) return { problems }
  return { value: Object.fromEntries(results.map(([name, result]) => [name, getValue(result)])) }
}

/** Identifies a path by its parsed parameters, so that all spellings of the path have one scope. */
function formatScope(path: string, sent: RawRouteRequest['params'], read: unknown): string {
  const params = Object.entries({ ...sent, ...(read as object) })
  // JSON does not distinguish values that are not scalars.
  const isPlain = params.every(([, value]) => isScalar(value))
  const values = params.map(([name, value]) => [name, pack(value as Scalar)] as const)
  return JSON.stringify([path, isPlain ? Object.fromEntries(values) : sent])
}
