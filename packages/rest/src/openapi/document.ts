import { statusByCode } from '@sallyport/errors'
import { requireLinks } from '../response-links.ts'
import type { AnyRoute } from '../route.ts'
import { createRouter } from '../router.ts'
import {
  listOperations,
  mapSchemas,
  type OpenApiDocument,
  type OpenApiInfo,
  type OpenApiOperation,
  type OpenApiSecurityScheme,
  type OpenApiServer,
  type OpenApiTag,
} from './document-model.ts'
import { addErrorSchemas } from './envelopes.ts'
import type { ErrorExamples } from './error-examples.ts'
import { addExamples } from './examples.ts'
import { createIntroduction } from './introduction.ts'
import { removeNotes, type JsonSchema } from './json-schema.ts'
import { toOpenApi30 } from './openapi-30.ts'
import { createOperation } from './operation.ts'
import { createSchemaRegistry } from './schema-registry.ts'
import { shareParts } from './share.ts'
import { createWebhookOperation, type OpenApiWebhooks } from './webhooks.ts'

type OpenApiVersion = '3.0' | '3.1' | '3.2'

const versions = { '3.0': '3.0.3', '3.1': '3.1.1', '3.2': '3.2.0' } as const

interface NamedScheme {
  readonly name: string
  readonly scheme: OpenApiSecurityScheme
}

export interface OpenApiOptions {
  readonly routes: readonly AnyRoute[]
  readonly info: OpenApiInfo
  /** The version of OpenAPI. @default '3.1' */
  readonly openapi?: OpenApiVersion
  /**
   * Markdown that follows the description of the API: how to log in, page, retry and handle limits.
   *
   * @default derived from what the routes declare
   */
  readonly introduction?: string
  /** @default [{ url: '/' }] */
  readonly servers?: readonly OpenApiServer[]
  /** The tags of the document, in order. Each tag of a route must be one of them. */
  readonly tags?: readonly OpenApiTag[]
  /**
   * The path prefix of every route.
   *
   * @default ''
   */
  readonly prefix?: string
  /**
   * The name and the security scheme object for routes that are not public; of a list, a request needs one.
   *
   * @default bearer: an HTTP bearer token (JWT)
   */
  readonly security?: NamedScheme | readonly [NamedScheme, ...NamedScheme[]]
  /**
   * The error codes that every route may answer with.
   *
   * @default ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_ERROR']
   */
  readonly commonErrors?: readonly string[]
  /**
   * The messages and details of errors in examples, by code.
   *
   * @default those of this package and of `@sallyport/auth`; the reason phrase of the status for other codes
   */
  readonly errorExamples?: ErrorExamples
  /** The webhooks that the API sends, by name. @default none */
  readonly webhooks?: OpenApiWebhooks
  /** The statuses of custom error codes. */
  readonly statuses?: Readonly<Record<string, number>>
  /**
   * The code and status of responses to invalid input, as configured in the server.
   *
   * @default { code: 'VALIDATION_ERROR' }, with the status of the code
   */
  readonly invalid?: { readonly code?: string; readonly status?: number }
}

/**
 * Creates the OpenAPI document of routes: parameters, bodies, envelopes, headers, error responses and security.
 *
 * Schemas of zod and arktype are converted by their Standard JSON Schema interface; a schema of valibot needs
 * `toStandardJsonSchema` of `@valibot/to-json-schema`. Zod schemas with `.meta({ id })`, and repeated parameters, headers
 * and responses, become components. `.meta({ readOnly: true })` marks a field as read-only; `.readonly()` does not. A part
 * of a zod schema without JSON Schema, such as `z.custom()`, accepts any value unless `.meta()` describes it.
 *
 * A body without an example gets one made from its fields, with the first of `.meta({ examples })`. Refinements and
 * transforms are not run, so give a field an example if one of them restricts its values further. Functions passed to
 * `default`, `prefault` and `catch` are run. A default is part of the description and not a keyword, because generated
 * clients would otherwise require the field.
 *
 * @throws TypeError when an example does not match its schema, a schema has no JSON Schema, a tag is not declared, a link
 *   cannot be followed, a code has no known status, or two routes share a method and path, or an operationId
 * @see https://spec.openapis.org/oas/v3.1.1
 * @see https://standardschema.dev/json-schema
 *
 * @example
 * ```ts
 * import { createApi, createRouteGroup } from '@sallyport/rest'
 * import { createOpenApiDocument } from '@sallyport/rest/openapi'
 * import { z } from 'zod'
 *
 * const route = createRouteGroup({ access: 'public' })
 * const api = createApi({
 *   routes: [route.get('/ping', { operationId: 'ping', data: z.string() }, () => 'pong')],
 * })
 * const document = createOpenApiDocument({ routes: api.routes, info: { title: 'An API', version: '1.0.0' } })
 * ```
 */
export function createOpenApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { routes, info, openapi = '3.1', servers = [{ url: '/' }], tags = [], prefix = '' } = options
  // The router rejects duplicate routes, of which the document would hold only the second.
  createRouter(routes.map((route) => ({ route })))
  requireLinks(routes)
  const { security = { name: 'bearer', scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } } =
    options
  const schemes: readonly NamedScheme[] = 'name' in security ? [security] : security
  const { code: invalidCode = 'VALIDATION_ERROR', status: invalidStatus } = options.invalid ?? {}
  const registry = createSchemaRegistry()
  const operationOptions = {
    schemes: schemes.map(({ name }) => name),
    invalidCode,
    invalidStatus: invalidStatus ?? (statusByCode as Readonly<Record<string, number>>)[invalidCode] ?? 400,
    commonErrors: options.commonErrors ?? ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'],
    statuses: options.statuses ?? {},
    errorExamples: options.errorExamples ?? {},
    schemas: addErrorSchemas(registry),
    registry,
  }
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const route of routes) {
    const undeclared = route.tags?.find((tag) => !tags.some(({ name }) => name === tag))
    if (undeclared !== undefined) throw new TypeError(`The tag ${undeclared} is not declared in tags`)
    const path = prefix !== '' && route.path === '/' ? prefix : prefix + route.path
    const operation = createOperation(route, operationOptions)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  const webhooks = Object.entries(options.webhooks ?? {}).map(
    ([name, webhook]) => [name, { post: createWebhookOperation(name, webhook, registry) }] as const,
  )
  const sent = webhooks.length > 0 && {
    [openapi === '3.0' ? 'x-webhooks' : 'webhooks']: Object.fromEntries(webhooks),
  }
  addExamples(
    [...Object.values(paths).flatMap((item) => Object.values(item)), ...webhooks.map(([, { post }]) => post)],
    registry.schemas,
  )
  const {
    introduction = createIntroduction(
      routes,
      schemes.map(({ scheme }) => scheme),
    ),
  } = options
  const description = [info.description ?? '', introduction].filter((part) => part !== '').join('\n\n')
  const secured = routes.some(({ access }) => access !== 'public')
  const document = registry.insertInto({
    openapi: versions[openapi],
    info: { ...info, ...(description !== '' && { description }) },
    servers: [...servers],
    ...(tags.length > 0 && { tags: [...tags] }),
    paths,
    ...sent,
    ...(secured && {
      components: {
        securitySchemes: Object.fromEntries(schemes.map(({ name, scheme }) => [name, scheme])),
      },
    }),
  })
  mapSchemas(document, openapi === '3.0' ? (schema) => toOpenApi30(schema) as JsonSchema : removeNotes)
  if (openapi !== '3.2') replaceItemSchemas(document, openapi)
  shareParts(document)
  return document
}

/**
 * Replaces the schemas of the items of streams, which OpenAPI has since 3.2: in 3.1 by the schema of the content, and in 3.0
 * by an extension.
 */
function replaceItemSchemas(document: OpenApiDocument, openapi: '3.0' | '3.1'): void {
  for (const response of listOperations(document).flatMap((operation) =>
    Object.values(operation.responses),
  )) {
    for (const [type, media] of Object.entries('content' in response ? (response.content ?? {}) : {})) {
      const { itemSchema } = media
      if (itemSchema === undefined) continue
      delete media.itemSchema
      const contentSchema = { type: 'array', items: itemSchema } as const
      if (openapi === '3.1') media.schema = { type: 'string', contentMediaType: type, contentSchema }
      else Object.assign(media, { schema: { type: 'string' }, 'x-itemSchema': itemSchema })
    }
  }
}
