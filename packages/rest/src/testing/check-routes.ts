import type { Api } from '../api/api-options.ts'
import type { OpenApiDocument } from '../openapi/document-model.ts'
import { createOpenApiDocument } from '../openapi/document.ts'
import type { AnyRoute } from '../route.ts'

export interface CheckRoutesOptions {
  /** Returns `Authorization` for the requests to a route that is not public, such as `Bearer …`. */
  readonly authorization?: (route: AnyRoute) => string | Promise<string>
  /**
   * Functions that return a value of a parameter or a field by its name, such as the `id` of a resource that exists. Most
   * requests have this value. @default made from the schemas
   */
  readonly values?: Readonly<Record<string, () => unknown>>
  /** The `operationId`s of routes that are not called. @default none */
  readonly skip?: readonly string[]
  /** How many requests each route gets. @default 100 */
  readonly requests?: number
  /** Repeats the requests of a failure. @default a random number */
  readonly seed?: number
  /** An OpenAPI 3.1 document of the API. @default made from the routes, with the common errors of `createDocuments` */
  readonly document?: OpenApiDocument
}

/**
 * Calls each route of an API in process with valid, unusual and invalid requests that are made from its OpenAPI document, and
 * checks that each response is declared: its status, media type, required headers and body. A request that the document refuses must
 * not succeed, and a request without credentials is 401 where a route needs them. A 5xx is a failure.
 *
 * Needs `fast-check`. Raise the rate limits of the tested API: a 429 is a failure, too. The API should run with `NODE_ENV=test`, so that
 * it checks the results of its handlers.
 *
 * @returns the statuses of the responses by `operationId`, which show whether the requests reached the handlers
 * @throws Error with the smallest request that fails, its response and the seed
 * @throws TypeError for an example in a route that does not match its schema
 *
 * @example
 * ```ts
 * import { createApi, createRouteGroup } from '@sallyport/rest'
 * import { checkRoutes } from '@sallyport/rest/testing'
 * import { z } from 'zod'
 *
 * const route = createRouteGroup({ access: 'public', rateLimit: false })
 * const body = z.strictObject({ text: z.string() })
 * const api = createApi({
 *   routes: [route.post('/notes', { operationId: 'createNote', body, data: body }, (request) => request.body)],
 * })
 * const statuses = await checkRoutes(api)
 * console.log(statuses['createNote']) // [201, 400]
 * ```
 */
export async function checkRoutes(
  api: Api,
  { skip = [], ...options }: CheckRoutesOptions = {},
): Promise<Readonly<Record<string, readonly number[]>>> {
  const { document = createDocument(api.routes) } = options
  const { checkRoute } = await import('./check-route.ts')
  const statuses: Record<string, readonly number[]> = {}
  for (const route of api.routes.filter(({ operationId }) => !skip.includes(operationId)))
    statuses[route.operationId] = await checkRoute(api, route, document, options)
  return statuses
}

function createDocument(routes: readonly AnyRoute[]): OpenApiDocument {
  const tags = new Set(routes.flatMap((route) => route.tags ?? []))
  return createOpenApiDocument({
    routes,
    info: { title: 'The tested API', version: '1' },
    tags: [...tags].map((name) => ({ name, description: name })),
    commonErrors: ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  })
}
