import { statusByCode } from '@sallyport/errors'
import { isRequestBody } from '../api/request-body.ts'
import { isCreation } from '../check-route.ts'
import { statusText } from '../problem.ts'
import type { AnyRoute } from '../route.ts'
import type { OpenApiResponse } from './document-model.ts'
import { createErrorExample, type ErrorExamples } from './error-examples.ts'
import { createErrorHeaders } from './headers.ts'
import type { JsonSchema } from './json-schema.ts'
import type { SchemaRegistry } from './schema-registry.ts'

export interface ErrorOptions {
  /** The code for invalid input, as the routes are configured. */
  readonly invalidCode: string
  readonly invalidStatus: number
  /** The codes that every route may answer with. */
  readonly commonErrors: readonly string[]
  /** The statuses of custom codes. */
  readonly statuses: Readonly<Record<string, number>>
  /** Examples by code. */
  readonly errorExamples: ErrorExamples
  readonly schemas: { readonly envelope: JsonSchema; readonly problem: JsonSchema }
  readonly registry: SchemaRegistry
}

/** Creates the error responses of a route by status, with the codes of each status. */
export function createErrorResponses(
  route: AnyRoute,
  options: ErrorOptions,
): Readonly<Record<string, OpenApiResponse>> {
  const byStatus = Map.groupBy(new Set(listErrorCodes(route, options)), (code) => getStatus(code, options))
  const sorted = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    sorted.map(([status, codes]) => [String(status), createErrorResponse(route, status, codes, options)]),
  )
}

function listErrorCodes(route: AnyRoute, { invalidCode, commonErrors }: ErrorOptions): readonly string[] {
  const { access, body, params, query, headers, cookies } = route
  const isValidated = [body, params, query, headers, cookies].some((part) => part !== undefined)
  const isParameterized = query !== undefined || route.path.includes('{')
  const isConditional = route.etag === true && route.method !== 'GET' && !isCreation(route)
  return [
    ...(isValidated || route.idempotencyKey === true ? [invalidCode] : []),
    // Bad percent-encoding, too many parameters, a truncated body or a malformed If-Match.
    ...(isValidated || isConditional || isParameterized ? ['BAD_REQUEST'] : []),
    // A route without parameters has one path and ignores the query.
    ...(isParameterized ? ['URI_TOO_LONG'] : []),
    ...(body === undefined
      ? []
      : [
          ...(isRequestBody(body) ? [] : ['INVALID_JSON']),
          'REQUEST_TIMEOUT',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
        ]),
    ...(access === 'public' ? [] : ['TOKEN_MISSING', 'INVALID_TOKEN']),
    ...(typeof access === 'object' ? ['FORBIDDEN'] : []),
    ...(isConditional ? ['PRECONDITION_FAILED'] : []),
    ...(route.idempotencyKey === true ? ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED'] : []),
    ...(route.errors ?? []),
    ...commonErrors.filter((code) => code !== 'RATE_LIMITED' || route.rateLimit !== false),
  ]
}

function getStatus(code: string, { invalidCode, invalidStatus, statuses }: ErrorOptions): number {
  const own = statuses[code] ?? (code === invalidCode ? invalidStatus : undefined)
  const status = own ?? (statusByCode as Readonly<Record<string, number>>)[code]
  if (status === undefined) throw new TypeError(`The code ${code} has no known status; add it to statuses`)
  return status
}

function createErrorResponse(
  route: AnyRoute,
  status: number,
  codes: readonly string[],
  options: ErrorOptions,
): OpenApiResponse {
  const { invalidCode, registry, schemas } = options
  const examples = codes.map((code) => {
    const own = options.errorExamples[code]
    const example = typeof own === 'function' ? own(route) : own
    return [code, example ?? createErrorExample(code, { route, status, invalidCode }, registry)] as const
  })
  const envelopes = examples.map(
    ([code, example]) => [code, { value: { error: { code, ...example } } }] as const,
  )
  const title = statusText(status)
  const problems = examples.map(([code, { message, details }]) => {
    const value = { type: 'about:blank', title, status, detail: message, code, ...(details && { details }) }
    return [code, { value }] as const
  })
  return {
    description: `${title}: ${codes.join(', ')}.`,
    headers: createErrorHeaders(route, status),
    content: {
      'application/json': { schema: schemas.envelope, examples: Object.fromEntries(envelopes) },
      'application/problem+json': { schema: schemas.problem, examples: Object.fromEntries(problems) },
    },
  }
}
