import { statusByCode } from '@sallyport/errors'
import { createDocument, type ZodOpenApiPathsObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import type { AnyRoute } from '../route.ts'
import { createRouter } from '../router.ts'
import { collectSchemas, type BuiltDocument } from './document-model.ts'
import { createOperation } from './operation.ts'
import { overrideSchema } from './override.ts'
import { convertToOpenApi30, removeUnknownKeywords } from './dialect.ts'
import { addExamples } from './examples.ts'
import { shareHeaders, shareParameters } from './share.ts'

/** An OpenAPI 3.0.3 document, to be serialized as JSON. */
export interface OpenApiDocument extends Omit<ReturnType<typeof createDocument>, 'openapi'> {
  openapi: '3.0.3'
}

export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  readonly description?: string
  readonly license?: { readonly name: string; readonly url?: string }
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
}

export interface OpenApiTag {
  readonly name: string
  readonly description: string
}

export interface OpenApiOptions {
  readonly routes: readonly AnyRoute[]
  readonly info: OpenApiInfo
  /** @default [{ url: '/' }] */
  readonly servers?: readonly { readonly url: string; readonly description?: string }[]
  /** The tags of the document, in order. Each tag of a route must be one of them. */
  readonly tags?: readonly OpenApiTag[]
  /**
   * The path prefix of every route.
   *
   * @default ''
   */
  readonly prefix?: string
  /**
   * The name and OpenAPI 3.0 object of the security scheme for routes that are not public.
   *
   * @default bearer: an HTTP bearer token (JWT)
   */
  readonly security?: { readonly name: string; readonly scheme: OpenApiSecurityScheme }
  /**
   * The error codes that every route may answer with.
   *
   * @default ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_ERROR']
   */
  readonly commonErrors?: readonly string[]
  /** The statuses of custom error codes. */
  readonly statuses?: Readonly<Record<string, number>>
  /**
   * The code and status of responses to invalid input, as configured in the server.
   *
   * @default { code: 'VALIDATION_ERROR' }, with the status of the code
   */
  readonly invalid?: { readonly code?: string; readonly status?: number }
}

/** A security scheme object of OpenAPI 3.0. */
export type OpenApiSecurityScheme = Readonly<Record<string, unknown>> & {
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect'
}

/**
 * Creates the OpenAPI 3.0.3 document of routes: parameters, bodies, envelopes, error responses and security.
 *
 * Schemas with `.meta({ id })`, error responses, and parameters of several operations become components.
 * `.meta({ readOnly: true })` marks a field as read-only; `.readonly()` does not. The first of `.meta({ examples })`
 * becomes `example`. A body without an example gets one made from its fields. Refinements and transforms are not run, so
 * give a field an example if one of them restricts its values further. Functions passed to `default`, `prefault` and
 * `catch` are run. Other metadata is omitted, unless its name starts with `x-`.
 *
 * @throws TypeError when a schema is not a zod schema, a tag is not declared, a code has no known status, or two routes
 *   share a method and path, or an operationId
 * @see https://spec.openapis.org/oas/v3.0.3
 *
 * @example
 * ```ts
 * import { defineRoute } from '@sallyport/rest'
 * import { createOpenApiDocument } from '@sallyport/rest/openapi'
 * import { z } from 'zod'
 *
 * const health = defineRoute({
 *   method: 'GET',
 *   path: '/health',
 *   operationId: 'getHealth',
 *   summary: 'Get the health of the server',
 *   access: 'public',
 *   responses: { 200: { description: 'Healthy', body: z.object({ status: z.literal('ok') }) } },
 * })
 * const document = createOpenApiDocument({ routes: [health], info: { title: 'An API', version: '1.0.0' } })
 * ```
 */
export function createOpenApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { routes, info, servers = [{ url: '/' }], tags = [], prefix = '' } = options
  // The router rejects duplicate routes, of which the document would hold only the second.
  createRouter(routes.map((route) => ({ route })))
  const { security = { name: 'bearer', scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } } =
    options
  const invalidCode = options.invalid?.code ?? 'VALIDATION_ERROR'
  const operationOptions = {
    scheme: security.name,
    invalidCode,
    invalidStatus:
      options.invalid?.status ?? (statusByCode as Readonly<Record<string, number>>)[invalidCode] ?? 400,
    commonErrors: options.commonErrors ?? ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'],
    statuses: options.statuses ?? {},
    known: new Map<string, ZodOpenApiResponseObject>(),
  }
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    const undeclared = route.tags?.find((tag) => !tags.some(({ name }) => name === tag))
    if (undeclared !== undefined) throw new TypeError(`The tag ${undeclared} is not declared in tags`)
    const path = prefix !== '' && route.path === '/' ? prefix : prefix + route.path
    const operation = createOperation(route, operationOptions)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  const secured = routes.some(({ access }) => access !== 'public')
  const document = createDocument(
    {
      openapi: '3.0.3',
      info: { ...info },
      servers: servers.map((server) => ({ ...server })),
      ...(tags.length > 0 && { tags: tags.map((tag) => ({ ...tag })) }),
      paths,
      ...(secured && { components: { securitySchemes: { [security.name]: { ...security.scheme } } } }),
    },
    {
      override: overrideSchema,
    },
  )
  // A copy, because the generated document shares objects with its input.
  const copy: unknown = JSON.parse(JSON.stringify(document))
  finish(copy as BuiltDocument)
  return copy as OpenApiDocument
}

/** Completes a document in place: converts schemas to OpenAPI 3.0, adds examples and moves repeated parts to components. */
function finish(document: BuiltDocument): void {
  convertToOpenApi30(document)
  const { paths, components = {} } = document
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  addExamples(operations, components.schemas ?? {})
  // After the examples, because the removed keywords restrict them.
  for (const schema of collectSchemas(document)) removeUnknownKeywords(schema)
  const responses = [
    ...operations.flatMap((operation) => Object.values(operation.responses ?? {})),
    ...Object.values(components.responses ?? {}),
  ]
  const shared = {
    parameters: shareParameters(operations, components.parameters),
    headers: shareHeaders(responses, components.headers),
  }
  if (Object.keys(shared.parameters).length > 0) components.parameters = shared.parameters
  if (Object.keys(shared.headers).length > 0) components.headers = shared.headers
}
