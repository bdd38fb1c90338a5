import { toErrorResponse, type ErrorDetail } from '@sallyport/errors'
import { getBodySchema, isRequestBody } from '../api/request-body.ts'
import { isListQuery } from '../check-route.ts'
import { validateIdempotencyKey } from '../idempotency.ts'
import { getMediaType } from '../media-type.ts'
import { statusText } from '../problem.ts'
import { parseTemplate } from '../route-path.ts'
import type { AnyRoute } from '../route.ts'
import { resolveSchema, type JsonSchema } from './json-schema.ts'
import type { SchemaRegistry } from './schema-registry.ts'

/** The message and details of an error in the examples of a document. */
export interface ErrorExample {
  readonly message: string
  readonly details?: readonly ErrorDetail[]
}

/** Examples by code. A function returns the example for a route, or undefined for the default. */
export type ErrorExamples = Readonly<
  Record<string, ErrorExample | ((route: AnyRoute) => ErrorExample | undefined)>
>

/** The errors of this package and of `@sallyport/auth` that do not depend on the route. */
const examples: Readonly<Record<string, ErrorExample>> = {
  BAD_REQUEST: { message: 'The body ended early' },
  URI_TOO_LONG: { message: 'The path is longer than 2048 characters' },
  INVALID_JSON: { message: 'The body is not JSON in UTF-8' },
  REQUEST_TIMEOUT: { message: 'The body took too long to arrive' },
  PAYLOAD_TOO_LARGE: { message: 'The body may have at most 1048576 bytes' },
  UNSUPPORTED_MEDIA_TYPE: { message: 'Send the body as application/json, in UTF-8' },
  TOKEN_MISSING: { message: 'Send an access token in the header "Authorization: Bearer <token>"' },
  INVALID_TOKEN: { message: 'The access token is not valid; get a new one' },
  PRECONDITION_FAILED: {
    message: 'The precondition does not match the current resource; read the resource again',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    message: 'A request with this Idempotency-Key is still running; try again when it has finished',
  },
  IDEMPOTENCY_KEY_REUSED: { message: 'The Idempotency-Key was used for another request; use a new key' },
  RATE_LIMITED: { message: 'Too many requests; try again later' },
  SERVICE_UNAVAILABLE: { message: 'The request took too long; try again' },
  INTERNAL_ERROR: { message: toErrorResponse(undefined).body.error.message },
}

/** Creates an example of an error as the server sends it for a route. */
export function createErrorExample(
  code: string,
  { route, status, invalidCode }: { route: AnyRoute; status: number; invalidCode: string },
  registry: SchemaRegistry,
): ErrorExample {
  const { access, body, responses } = route
  if (code === invalidCode) {
    return { message: 'The request is not valid', details: [createDetail(route, registry)] }
  }
  switch (code) {
    case 'BAD_REQUEST':
      if (body !== undefined) break
      return {
        message: route.path.includes('{')
          ? 'The path is not valid percent-encoded UTF-8'
          : 'The query has more than 64 parameters',
      }
    case 'UNSUPPORTED_MEDIA_TYPE':
      if (!isRequestBody(body)) break
      return { message: `Send the body as ${body.mediaType}, without a Content-Encoding` }
    case 'NOT_ACCEPTABLE': {
      const types = Object.values(responses).map(
        (response) => (getMediaType(response) ?? 'application/json').split(';')[0],
      )
      return { message: `Responses are ${[...new Set(types)].join(' or ')}; accept that type or omit Accept` }
    }
    case 'FORBIDDEN':
      return {
        message:
          typeof access === 'object'
            ? `This needs the role ${access.roles.join(' or ')}`
            : 'Only its owner may do this',
      }
    case 'NOT_FOUND':
      return { message: `There is no such ${nameResource(route)}` }
    default:
  }
  return examples[code] ?? { message: statusText(status) }
}

/** Names the resource of the last path parameter: `post` for `/posts/{id}`. */
function nameResource({ path }: AnyRoute): string {
  const segments = parseTemplate(path)
  const parameter = segments.findLastIndex(({ kind }) => kind === 'parameter')
  const before = segments[parameter - 1]
  if (before?.kind !== 'literal') return 'resource'
  return before.text.replace(/ies$/, 'y').replace(/s$/, '')
}

/** Creates a detail that the route reports for a request without its first required value, or else with a wrong one. */
function createDetail(route: AnyRoute, registry: SchemaRegistry): ErrorDetail {
  const { operationId, body, query, params } = route
  const read = (schema: NonNullable<AnyRoute['body']>, part: string) =>
    resolveSchema(registry.convert(schema, 'input', operationId + part), registry.schemas) ?? {}
  if (body !== undefined) return createMissing(read(getBodySchema(body), 'Body'), 'body')
  if (isListQuery(query)) {
    const limit = query.parameters.find(({ name }) => name === 'limit')?.schema['maximum']
    const message = `Must be an integer from 1 to ${String(limit)}`
    return { code: 'TOO_SMALL', field: 'limit', in: 'query', message }
  }
  if (query !== undefined) return createMissing(read(query, 'Query'), 'query')
  const [invalidKey] = validateIdempotencyKey('')
  if (params === undefined && invalidKey !== undefined) return invalidKey
  const { properties = {} } = params === undefined ? {} : read(params, 'Params')
  const [[field, schema] = ['id', {}]] = Object.entries(properties)
  return schema.format === 'uuid'
    ? { code: 'INVALID_FORMAT', field, in: 'path', message: 'Must be a UUID' }
    : { code: 'INVALID', field, in: 'path', message: 'Not valid' }
}

function createMissing(
  { properties = {}, required = [] }: JsonSchema,
  location: 'body' | 'query',
): ErrorDetail {
  const field = required.find((name) => properties[name]?.readOnly !== true)
  if (field !== undefined) return { code: 'REQUIRED', field, in: location, message: 'Required' }
  const message = location === 'body' ? 'Unknown field' : 'Unknown parameter'
  return { code: 'UNKNOWN', field: 'unknown', in: location, message }
}
