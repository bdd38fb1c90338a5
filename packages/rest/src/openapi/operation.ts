import type {
  ZodOpenApiOperationObject,
  ZodOpenApiParameterObject,
  ZodOpenApiParameters,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import { isListQuery } from '../define-route.ts'
import { parseTemplate } from '../route-path.ts'
import type { AnyRoute, ResponseDeclaration } from '../route.ts'
import { errorResponses, type ErrorDocumentOptions } from './errors.ts'
import { dataSchema, listSchema, toZodSchema } from './schemas.ts'

export interface OperationOptions extends ErrorDocumentOptions {
  /** The name of the security scheme for routes that are not public. */
  readonly scheme: string
}

/** Converts a route to an OpenAPI operation. */
export function createOperation(route: AnyRoute, options: OperationOptions): ZodOpenApiOperationObject {
  const { access, body, params, query } = route
  const description = [
    ...(route.description === undefined ? [] : [route.description]),
    ...(typeof access === 'object' ? [`Requires one of the roles: ${access.roles.join(', ')}.`] : []),
  ].join('\n\n')
  const schemas: ZodOpenApiParameters = {
    ...(params !== undefined && { path: toZodSchema(params) as NonNullable<ZodOpenApiParameters['path']> }),
    ...(query !== undefined &&
      !isListQuery(query) && { query: toZodSchema(query) as NonNullable<ZodOpenApiParameters['query']> }),
  }
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(description !== '' && { description }),
    ...(route.tags !== undefined && { tags: [...route.tags] }),
    ...(route.deprecated === true && { deprecated: true }),
    security: access === 'public' ? [] : [{ [options.scheme]: [] }],
    ...(Object.keys(schemas).length > 0 && { requestParams: schemas }),
    ...parametersPart(route),
    ...(body !== undefined && {
      requestBody: {
        required: route.bodyRequired !== false,
        content: {
          'application/json': {
            schema: toZodSchema(body),
            ...(route.bodyExample !== undefined && { example: route.bodyExample }),
          },
        },
      },
    }),
    responses: { ...successResponses(route), ...errorResponses(route, options) },
  }
}

function parametersPart(route: AnyRoute): { readonly parameters?: ZodOpenApiParameterObject[] } {
  const parameters: ZodOpenApiParameterObject[] = []
  if (route.params === undefined) {
    for (const segment of parseTemplate(route.path)) {
      if (segment.kind === 'literal') continue
      parameters.push({
        name: segment.name,
        in: 'path',
        required: true,
        schema: { type: 'string', minLength: 1 },
      })
    }
  }
  if (isListQuery(route.query)) {
    for (const { name, description, schema } of route.query.parameters) {
      parameters.push({
        name,
        in: 'query',
        description,
        schema,
        // An empty cursor requests the first page; an empty search matches everything.
        ...((name === 'cursor' || name === 'search') && { allowEmptyValue: true }),
      })
    }
  }
  parameters.push(...requestHeaders(route))
  return parameters.length === 0 ? {} : { parameters }
}

function requestHeaders(route: AnyRoute): readonly ZodOpenApiParameterObject[] {
  const header = (name: string, description: string, form = {}) => {
    return { name, in: 'header', description, schema: { type: 'string', ...form } } as const
  }
  if (route.idempotencyKey === true) {
    const description = 'Makes the request safe to repeat: the same key gives the same response for 24 hours.'
    return [header('Idempotency-Key', description, { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' })]
  }
  if (route.etag !== true || route.method === 'POST') return []
  if (route.method === 'GET')
    return [header('If-None-Match', 'ETags of cached representations; 304 when one of them is current.')]
  return [
    header('If-Match', 'The ETag that the change is based on; 412 when it is not current.'),
    header('If-None-Match', 'ETags that the change must not apply to; 412 when one of them is current.'),
  ]
}

function successResponses(route: AnyRoute): Readonly<Record<string, ZodOpenApiResponseObject>> {
  const declared = Object.entries(route.responses).map(([status, response]) => {
    return [status, successResponse(route, status, response)] as const
  })
  const conditional = route.etag === true && route.method === 'GET'
  const notModified = { description: 'One of the ETags in If-None-Match is current.', headers: etagHeader }
  return { ...Object.fromEntries(declared), ...(conditional && { 304: notModified }) }
}

const etagHeader = {
  ETag: { description: 'The version of the representation.', schema: { type: 'string' as const } },
}

function successResponse(
  route: AnyRoute,
  status: string,
  response: ResponseDeclaration,
): ZodOpenApiResponseObject {
  const schema = bodySchema(route, response)
  const own = Object.entries(response.headers ?? {}).map(([name, description]) => {
    return [name, { description, schema: { type: 'string' as const } }] as const
  })
  const headers = {
    ...Object.fromEntries(own),
    ...(response.list !== undefined && {
      Link: { description: 'Other pages of the list: RFC 8288.', schema: { type: 'string' as const } },
    }),
    ...(route.etag === true && status !== '204' && etagHeader),
  }
  return {
    description: response.description,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(schema !== undefined && {
      content: {
        'application/json': { schema, ...(response.example !== undefined && { example: response.example }) },
      },
    }),
  }
}

function bodySchema({ query }: AnyRoute, { data, list, body, form = 'full' }: ResponseDeclaration) {
  if (data !== undefined) return dataSchema(data)
  if (list !== undefined && isListQuery(query)) {
    const partial = query.parameters.some(({ name }) => name === 'fields')
    return listSchema(list, { pagination: query.pagination, form, partial })
  }
  return body === undefined ? undefined : toZodSchema(body)
}
