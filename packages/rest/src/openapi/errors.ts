import { statusByCode } from '@sallyport/errors'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { AnyRoute } from '../route.ts'
import { statusText } from '../problem.ts'
import { ErrorEnvelope, ProblemDetails } from './schemas.ts'

export interface ErrorDocumentOptions {
  /** The code for invalid input, as the routes are configured. */
  readonly invalidCode: string
  readonly invalidStatus: number
  /** The codes that every route may answer with. */
  readonly commonErrors: readonly string[]
  /** The statuses of custom codes. */
  readonly statuses: Readonly<Record<string, number>>
  /** The responses of the document by their codes; each becomes one component. */
  readonly known: Map<string, ZodOpenApiResponseObject>
}

/** Creates the error responses of a route by status, with the codes of each status. */
export function errorResponses(
  route: AnyRoute,
  options: ErrorDocumentOptions,
): Readonly<Record<string, ZodOpenApiResponseObject>> {
  const byStatus = new Map<number, Set<string>>()
  for (const code of listErrorCodes(route, options)) {
    const status = getStatus(code, options)
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    sorted.map(([status, codes]) => [String(status), sharedResponse(status, [...codes], options)]),
  )
}

function sharedResponse(
  status: number,
  codes: readonly string[],
  { known }: ErrorDocumentOptions,
): ZodOpenApiResponseObject {
  const id = codes.join('.')
  const response = known.get(id) ?? { id, ...createErrorResponse(status, codes) }
  known.set(id, response)
  return response
}

function listErrorCodes(
  route: AnyRoute,
  { invalidCode, commonErrors }: ErrorDocumentOptions,
): readonly string[] {
  const { access, body, params, query } = route
  const validated = [body, params, query].some((part) => part !== undefined)
  // A POST creates a resource, which has no representation for a precondition yet.
  const conditional = route.etag === true && route.method !== 'GET' && route.method !== 'POST'
  // Bad percent-encoding, too many parameters, a truncated body or a malformed If-Match.
  const malformed = validated || conditional || route.path.includes('{')
  return [
    ...(validated || route.idempotencyKey === true ? [invalidCode] : []),
    ...(malformed ? ['BAD_REQUEST'] : []),
    ...(body === undefined
      ? []
      : ['INVALID_JSON', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']),
    ...(access === 'public' ? [] : ['TOKEN_MISSING', 'INVALID_TOKEN']),
    ...(typeof access === 'object' ? ['FORBIDDEN'] : []),
    ...(conditional ? ['PRECONDITION_FAILED'] : []),
    ...(route.idempotencyKey === true ? ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED'] : []),
    ...(route.errors ?? []),
    ...commonErrors.filter((code) => code !== 'RATE_LIMITED' || route.rateLimit !== false),
  ]
}

function getStatus(code: string, { invalidCode, invalidStatus, statuses }: ErrorDocumentOptions): number {
  const own = statuses[code] ?? (code === invalidCode ? invalidStatus : undefined)
  const status = own ?? (statusByCode as Readonly<Record<string, number>>)[code]
  if (status === undefined) throw new TypeError(`The code ${code} has no known status; add it to statuses`)
  return status
}

function createErrorResponse(status: number, codes: readonly string[]): ZodOpenApiResponseObject {
  const message = statusText(status)
  const envelopes = codes.map((code) => [code, { value: { error: { code, message } } }] as const)
  const problems = codes.map((code) => {
    return [code, { value: { type: 'about:blank', title: message, status, detail: message, code } }] as const
  })
  const headers = createErrorHeaders(status)
  return {
    description: `${message}: ${codes.join(', ')}.`,
    ...(headers !== undefined && { headers }),
    content: {
      'application/json': { schema: ErrorEnvelope, examples: Object.fromEntries(envelopes) },
      'application/problem+json': { schema: ProblemDetails, examples: Object.fromEntries(problems) },
    },
  }
}

function createErrorHeaders(status: number): ZodOpenApiResponseObject['headers'] {
  if (status === 401) {
    return { 'WWW-Authenticate': { description: 'The authentication scheme.', schema: { type: 'string' } } }
  }
  if (status === 429 || status === 503) {
    return { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } }
  }
  return undefined
}
