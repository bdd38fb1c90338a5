import { statusByCode } from '@sallyport/errors'
import { createDocument, type ZodOpenApiPathsObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import type { AnyRoute } from '../route.ts'
import { createRouter } from '../router.ts'
import type { BuiltDocument } from './built.ts'
import { finish } from './finish.ts'
import { operationOf } from './operation.ts'
import { overrideSchema } from './override.ts'

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
  /** The tags that routes may carry, in the order of the document. */
  readonly tags?: readonly OpenApiTag[]
  /**
   * The path that every route is under.
   *
   * @default ''
   */
  readonly prefix?: string
  /**
   * The security scheme of routes that are not public, an OpenAPI 3.0 security scheme object by its name.
   *
   * @default bearer: an HTTP bearer token, a JWT
   */
  readonly security?: { readonly name: string; readonly scheme: OpenApiSecurityScheme }
  /**
   * Codes that any route may answer with.
   *
   * @default ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_ERROR']
   */
  readonly commonErrors?: readonly string[]
  /** The statuses of error codes of your own. */
  readonly statuses?: Readonly<Record<string, number>>
  /**
   * How invalid input is answered, as the server is configured.
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
 * The OpenAPI 3.0.3 document of routes: parameters, bodies, envelopes, the errors of each status, security.
 *
 * Schemas with `.meta({ id })` become components, and so do error responses, and parameters that several operations
 * have. A `.meta({ readOnly: true })` says that no request changes a field; `.readonly()` says nothing there. A
 * `.meta({ examples })`, which 3.0 has no place for, becomes the `example` of its first; bodies without an
 * example of their own get one that is made of those of their fields. No refinement or transform is run: where one asks
 * for more than the schema says, give the field an example. Functions given to `default`, `prefault` and `catch` are
 * run. Other metadata is left out, unless its name begins with `x-`.
 *
 * @throws TypeError when a schema is not zod's, a tag is not declared, a code has no known status, or two routes share
 *   a method and path, or an operationId
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
 *   summary: 'Whether the server is up',
 *   access: 'public',
 *   responses: { 200: { description: 'It is', body: z.object({ status: z.literal('ok') }) } },
 * })
 * const document = createOpenApiDocument({ routes: [health], info: { title: 'An API', version: '1.0.0' } })
 * ```
 */
export function createOpenApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { routes, info, servers = [{ url: '/' }], tags = [], prefix = '' } = options
  // Refuses what a router refuses: of two routes of one method and path, the document would hold the second alone.
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
    const operation = operationOf(route, operationOptions)
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
  // A copy: parts of what was built are the very objects that it was built from.
  const copy: unknown = JSON.parse(JSON.stringify(document))
  finish(copy as BuiltDocument)
  return copy as OpenApiDocument
}
