import { isCreation } from '../check-route.ts'
import { idempotencyKeyPattern } from '../idempotency.ts'
import type { AnyRoute, ResponseDeclaration } from '../route.ts'
import type { OpenApiHeader, OpenApiParameter } from './document-model.ts'

type Headers = Record<string, OpenApiHeader>

const text = { type: 'string' } as const

/** The parameters for the headers that a route reads. */
export function createHeaderParameters(route: AnyRoute): readonly OpenApiParameter[] {
  const header = (name: string, description: string, form = {}): OpenApiParameter => {
    return { name, in: 'header', description, schema: { ...text, ...form } }
  }
  const description = 'Makes the request safe to repeat: the same key gives the same response for 24 hours.'
  const form = { minLength: 1, maxLength: 255, pattern: idempotencyKeyPattern }
  const key = route.idempotencyKey === true ? [header('Idempotency-Key', description, form)] : []
  if (route.etag !== true || isCreation(route)) return key
  if (route.method === 'GET')
    return [header('If-None-Match', 'ETags of cached representations; 304 when one of them is current.')]
  return [
    ...key,
    header('If-Match', 'The ETag that the change is based on; 412 when it is not current.'),
    header('If-None-Match', 'ETags that the change must not apply to; 412 when one of them is current.'),
  ]
}

const requestId: OpenApiHeader = {
  description: 'The id of the request, for questions about it. A valid id of the request is kept.',
  required: true,
  schema: { ...text, pattern: '^[A-Za-z0-9._-]{1,64}$' },
}
const quota = 'The quota of each rate limit of the request: `q` requests in `w` seconds.'
const remaining =
  'The rate limit with the fewest remaining requests: `r` requests, full again in `t` seconds.'
const links = 'What replaces the operation, and other pages of a list: RFC 9745, RFC 5829, RFC 8288.'
const etagHeader: OpenApiHeader = {
  description: 'The version of the representation.',
  required: true,
  schema: text,
}

/** The headers of every response with a status. */
function createCommonHeaders({ rateLimit, deprecated }: AnyRoute, status: number): Headers {
  // An error of the server may precede the rate limit.
  const required = status < 500
  return {
    'X-Request-Id': requestId,
    ...(rateLimit !== false && {
      'RateLimit-Policy': { description: quota, required, schema: text },
      RateLimit: { description: remaining, required, schema: text },
    }),
    ...(typeof deprecated === 'object' && {
      Deprecation: { description: 'When the operation was deprecated: RFC 9745.', required, schema: text },
      ...(deprecated.sunset !== undefined && {
        Sunset: { description: 'When the operation stops to answer: RFC 8594.', required, schema: text },
      }),
      ...((deprecated.link ?? deprecated.successor) !== undefined && {
        Link: { description: links, required, schema: text },
      }),
    }),
  }
}

/** The headers of a success response. */
export function createResponseHeaders(
  route: AnyRoute,
  status: number,
  { headers = {}, list }: Pick<ResponseDeclaration, 'headers' | 'list'> = {},
): Headers {
  const own = Object.entries(headers).map(([name, header]) => {
    const { description, required } =
      typeof header === 'string' ? { description: header, required: true } : header
    return [name, { description, ...(required && { required }), schema: text }] as const
  })
  return {
    ...Object.fromEntries(own),
    ...(list !== undefined && {
      Link: { description: 'Other pages of the list: RFC 8288.', required: true, schema: text },
    }),
    ...(route.etag === true && status !== 204 && { ETag: etagHeader }),
    ...(route.idempotencyKey === true && {
      'Idempotent-Replayed': {
        description: 'Present if the response repeats that of an earlier request with the same key.',
        schema: { ...text, enum: ['true'] },
      },
    }),
    ...createCommonHeaders(route, status),
  }
}

/** The headers of an error response. */
export function createErrorHeaders(route: AnyRoute, status: number): Headers {
  return {
    ...(status === 401 && {
      'WWW-Authenticate': { description: 'The authentication scheme.', required: true, schema: text },
    }),
    ...((status === 429 || status === 503) && {
      'Retry-After': {
        description: 'Seconds to wait.',
        ...(status === 429 && { required: true }),
        schema: { type: 'integer', minimum: 1 },
      },
    }),
    ...createCommonHeaders(route, status),
  }
}
