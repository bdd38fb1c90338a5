import { statusByCode } from '@sallyport/errors'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { AnyRoute } from '../route.ts'
import { statusText } from '../status-text.ts'
import { ErrorEnvelope, ProblemDetails } from './schemas.ts'

export interface ErrorDocumentOptions {
  /** The code that invalid input is answered with, as the routes are configured. */
  readonly invalidCode: string
  readonly invalidStatus: number
  /** Codes that any route may answer with. */
  readonly commonErrors: readonly string[]
  /** The statuses of codes of one's own. */
  readonly statuses: Readonly<Record<string, number>>
  /** The responses of this document so far, by their codes: each becomes one component. */
  readonly known: Map<string, ZodOpenApiResponseObject>
}

/** The error responses of a route by status, each with the codes that it may carry. */
export function errorResponses(
  route: AnyRoute,
  options: ErrorDocumentOptions,
): Readonly<Record<string, ZodOpenApiResponseObject>> {
  const byStatus = new Map<number, Set<string>>()
  for (const code of codesOf(route, options)) {
    const status = statusOf(code, options)
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
  const response = known.get(id) ?? { id, ...responseOf(status, codes) }
  known.set(id, response)
  return response
}

function codesOf(route: AnyRoute, { invalidCode, commonErrors }: ErrorDocumentOptions): readonly string[] {
  const { access, body, params, query } = route
  const validated = [body, params, query].some((part) => part !== undefined)
  // A POST that creates shows an ETag, and there is nothing yet that a precondition could be about.
  const conditional = route.etag === true && route.method !== 'GET' && route.method !== 'POST'
  // A path that is badly encoded, a query with too many parameters, a body that ends early, an If-Match without tags.
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

function statusOf(code: string, { invalidCode, invalidStatus, statuses }: ErrorDocumentOptions): number {
  const own = statuses[code] ?? (code === invalidCode ? invalidStatus : undefined)
  const status = own ?? (statusByCode as Readonly<Record<string, number>>)[code]
  if (status === undefined) throw new TypeError(`The code ${code} needs its status in statuses`)
  return status
}

function responseOf(status: number, codes: readonly string[]): ZodOpenApiResponseObject {
  const message = statusText(status)
  const envelopes = codes.map((code) => [code, { value: { error: { code, message } } }] as const)
  const problems = codes.map((code) => {
    return [code, { value: { type: 'about:blank', title: message, status, detail: message, code } }] as const
  })
  const headers = headersOf(status)
  return {
    description: `${message}: ${codes.join(', ')}.`,
    ...(headers !== undefined && { headers }),
    content: {
      'application/json': { schema: ErrorEnvelope, examples: Object.fromEntries(envelopes) },
      'application/problem+json': { schema: ProblemDetails, examples: Object.fromEntries(problems) },
    },
  }
}

function headersOf(status: number): ZodOpenApiResponseObject['headers'] {
  if (status === 401) {
    return { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } }
  }
  if (status === 429 || status === 503) {
    return { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } }
  }
  return undefined
}
