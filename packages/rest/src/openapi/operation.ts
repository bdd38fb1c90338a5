import { runSynchronousSchema } from '@sallyport/internal/run-schema'
import { getBodySchema, isRequestBody } from '../api/request-body.ts'
import { isListQuery } from '../check-route.ts'
import { getMediaType, getStreamFormat } from '../media-type.ts'
import { parseTemplate } from '../route-path.ts'
import type { AnyRoute, ResponseDeclaration, TextSchemas } from '../route.ts'
import type { OpenApiContent, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './document-model.ts'
import { createDataSchema, createListSchema } from './envelopes.ts'
import { createErrorResponses, type ErrorOptions } from './errors.ts'
import { createHeaderParameters, createResponseHeaders } from './headers.ts'
import { resolveSchema, type JsonSchema } from './json-schema.ts'
import type { SchemaRegistry } from './schema-registry.ts'

export interface OperationOptions extends ErrorOptions {
  /** The names of the security schemes for routes that are not public, of which a request needs one. */
  readonly schemes: readonly string[]
}

/** Converts a route to an OpenAPI operation. */
export function createOperation(route: AnyRoute, options: OperationOptions): OpenApiOperation {
  const { operationId, access, body, tags, bodyExample } = route
  const { registry } = options
  const description = [
    ...(route.description === undefined ? [] : [route.description]),
    ...(typeof access === 'object' ? [`Requires one of the roles: ${access.roles.join(', ')}.`] : []),
  ].join('\n\n')
  const parameters = [
    ...createParameters(route, registry),
    ...convertTexts(route.headers, 'header', route, registry),
    ...convertTexts(route.cookies, 'cookie', route, registry),
    ...createHeaderParameters(route),
  ]
  const bodySchema = body && registry.convert(getBodySchema(body), 'input', `${operationId}Body`)
  return {
    operationId,
    summary: route.summary ?? toSentence(operationId),
    ...(description !== '' && { description }),
    ...(tags !== undefined && { tags: [...tags] }),
    ...((route.deprecated ?? false) !== false && { deprecated: true }),
    security: access === 'public' ? [] : options.schemes.map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(bodySchema && {
      requestBody: {
        required: route.bodyRequired !== false,
        content: {
          [isRequestBody(body) ? body.mediaType : 'application/json']: {
            schema: bodySchema,
            ...(bodyExample !== undefined && { example: bodyExample }),
          },
        },
      },
    }),
    responses: { ...createSuccessResponses(route, registry), ...createErrorResponses(route, options) },
  }
}

/** Converts an identifier such as `getBook` to `Get book`. */
export function toSentence(operationId: string): string {
  const words = operationId
    .replaceAll(/[A-Z]+/g, (capital) => ` ${capital.toLowerCase()}`)
    .replaceAll('_', ' ')
  return words.trim().replace(/^./, (first) => first.toUpperCase())
}

/** Converts the path and the query of a route to parameters. */
export function createParameters(route: AnyRoute, registry: SchemaRegistry): readonly OpenApiParameter[] {
  const { operationId, params, query } = route
  const path =
    params === undefined
      ? parseTemplate(route.path)
          .filter((segment) => segment.kind === 'parameter')
          .map(({ name }): OpenApiParameter => {
            return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 } }
          })
      : convertParameters(registry.convert(params, 'input', `${operationId}Params`), 'path', registry)
  if (query === undefined) return path
  if (!isListQuery(query)) {
    const schema = registry.convert(query, 'input', `${operationId}Query`)
    return [...path, ...convertParameters(schema, 'query', registry)]
  }
  const listed = query.parameters.map(({ name, description, schema }): OpenApiParameter => {
    // An empty cursor requests the first page; an empty search matches everything.
    const mayBeEmpty = name === 'cursor' || name === 'search'
    return { name, in: 'query', description, schema, ...(mayBeEmpty && { allowEmptyValue: true }) }
  })
  return [...path, ...listed]
}

/** Converts the properties of an object schema to parameters. */
function convertParameters(
  schema: JsonSchema,
  location: 'path' | 'query',
  registry: SchemaRegistry,
): readonly OpenApiParameter[] {
  const { properties = {}, required = [], allOf = [] } = resolveSchema(schema, registry.schemas) ?? {}
  const own = Object.entries(properties).map(([name, { description, ...rest }]): OpenApiParameter => {
    return {
      name,
      in: location,
      ...(description !== undefined && { description }),
      ...((location === 'path' || required.includes(name)) && { required: true }),
      schema: rest,
    }
  })
  return [...own, ...allOf.flatMap((part) => convertParameters(part, location, registry))]
}

function convertTexts(
  schemas: TextSchemas = {},
  location: 'header' | 'cookie',
  { operationId }: AnyRoute,
  registry: SchemaRegistry,
): readonly OpenApiParameter[] {
  return Object.entries(schemas).map(([name, schema]) => {
    const { description, ...rest } = registry.convert(schema, 'input', `${operationId}${name}`)
    const absent = runSynchronousSchema(schema, undefined)
    const isRequired = absent === undefined || absent.issues !== undefined
    return {
      name,
      in: location,
      ...(description !== undefined && { description }),
      ...(isRequired && { required: true }),
      schema: rest,
    }
  })
}

function createSuccessResponses(
  route: AnyRoute,
  registry: SchemaRegistry,
): Readonly<Record<string, OpenApiResponse>> {
  const declared = Object.entries(route.responses).map(([status, response]) => {
    const content = createContent(route, response, registry)
    const created: OpenApiResponse = {
      description: describeResponse(route, response),
      headers: createResponseHeaders(route, Number(status), response),
      ...(content && { content }),
      ...(route.links && { links: route.links }),
    }
    return [status, created] as const
  })
  const notModified: OpenApiResponse = {
    description: 'One of the ETags in If-None-Match is current.',
    headers: createResponseHeaders(route, 304),
  }
  const isConditional = route.etag === true && route.method === 'GET'
  return { ...Object.fromEntries(declared), ...(isConditional && { 304: notModified }) }
}

function describeResponse(
  { query }: AnyRoute,
  { description = 'Success', list }: ResponseDeclaration,
): string {
  const hasFields = isListQuery(query) && query.parameters.some(({ name }) => name === 'fields')
  if (list === undefined || !hasFields) return description
  return `${description}. If the request has \`fields\`, each item has only these fields.`
}

function createContent(
  route: AnyRoute,
  response: ResponseDeclaration,
  registry: SchemaRegistry,
): OpenApiContent | undefined {
  const { example } = response
  const mediaType = getMediaType(response)
  if (getStreamFormat(response) !== undefined && mediaType !== undefined)
    return {
      [mediaType]: {
        itemSchema: createItemSchema(route, response, registry),
        ...(example !== undefined && { example }),
      },
    }
  if (mediaType !== undefined) {
    const type = mediaType === '*' ? '*/*' : mediaType
    const schema = { type: 'string', ...(!type.startsWith('text/') && { format: 'binary' }) }
    return { [type]: { schema, ...(example !== undefined && { example }) } }
  }
  const schema = createBodySchema(route, response, registry)
  return schema && { 'application/json': { schema, ...(example !== undefined && { example }) } }
}

/** The schema of a line, or of the fields of an event, whose data are JSON. */
function createItemSchema(
  { operationId }: AnyRoute,
  { events, lines }: ResponseDeclaration,
  registry: SchemaRegistry,
): JsonSchema {
  if (lines !== undefined) return registry.convert(lines, 'output', `${operationId}Line`)
  const text = { type: 'string' } as const
  const data = {
    ...text,
    contentMediaType: 'application/json',
    ...(events && { contentSchema: registry.convert(events, 'output', `${operationId}Event`) }),
  }
  return {
    type: 'object',
    properties: { id: text, event: text, data, retry: { type: 'integer', minimum: 0 } },
    required: ['data'],
  }
}

function createBodySchema(
  { operationId, query }: AnyRoute,
  { data, list, body, form = 'full' }: ResponseDeclaration,
  registry: SchemaRegistry,
): JsonSchema | undefined {
  const convert = (schema: NonNullable<ResponseDeclaration['body']>, part: string) =>
    registry.convert(schema, 'output', operationId + part)
  if (data !== undefined) return createDataSchema(convert(data, 'Data'))
  if (list !== undefined && isListQuery(query)) {
    return createListSchema(convert(list, 'Item'), { pagination: query.pagination, form }, registry)
  }
  return body === undefined ? undefined : convert(body, 'Response')
}
