import { SallyportError } from '@sallyport/errors'
import { acceptsGzip } from '@sallyport/internal/accept-encoding'
import type { ApiContext } from '../api/api-context.ts'
import type { RouteBinding } from '../route-binding.ts'
import { createRouteGroup } from '../route-group.ts'
import { createFile, type StaticFile } from './file.ts'

export interface DocumentPagesOptions {
  readonly title: string
  /** Creates each document or a promise of it, by its path. The pages show `/openapi.json`. */
  readonly documents: {
    readonly '/openapi.json': () => unknown
    readonly [path: `/${string}.json`]: () => unknown
  }
  /** `swagger-ui` is the page `/docs` and needs the package `swagger-ui-dist`. `redoc` is `/redoc` and needs `redoc`. */
  readonly pages: readonly ('swagger-ui' | 'redoc')[]
}

const route = createRouteGroup({ access: 'public' })

/**
 * Creates the routes of JSON documents, and of pages of Swagger UI and Redoc with their assets. No page loads anything from
 * another server, and the content security policy allows no inline script.
 *
 * The first request creates all files. An error is a 500, which `onError` receives, and the next request tries again.
 *
 * @example
 * ```ts
 * import { createApi, createRouteGroup } from '@sallyport/rest'
 * import { createOpenApiDocument } from '@sallyport/rest/openapi'
 * import { createDocumentPages } from '@sallyport/rest/openapi-pages'
 * import { z } from 'zod'
 *
 * const group = createRouteGroup({ access: 'public' })
 * const routes = [group.get('/ping', { operationId: 'ping', data: z.literal('pong') }, () => 'pong')]
 * const info = { title: 'An API', version: '1.0.0' }
 * const pages = createDocumentPages({
 *   title: 'An API',
 *   documents: {
 *     '/openapi.json': () =>
 *       createOpenApiDocument({ routes: routes.map(({ route }) => route), info, servers: [{ url: '/' }] }),
 *   },
 *   pages: ['swagger-ui', 'redoc'],
 * })
 * const api = createApi({ routes: [...routes, ...pages] })
 * ```
 */
export function createDocumentPages({
  title,
  documents,
  pages,
}: DocumentPagesOptions): readonly RouteBinding[] {
  let loading: Promise<ReadonlyMap<string, StaticFile>> | undefined

  async function load(): Promise<ReadonlyMap<string, StaticFile>> {
    const { createRedoc, createSwaggerUi } = await import('./pages.ts')
    const json = Object.entries(documents).map(async ([path, create]) =>
      createFile(path, types.json, JSON.stringify(await create())),
    )
    const files = [
      ...(await Promise.all(json)),
      ...(pages.includes('swagger-ui') ? createSwaggerUi(title) : []),
      ...(pages.includes('redoc') ? createRedoc(title) : []),
    ]
    return new Map(files.map((file) => [file.path, file]))
  }

  async function answer(path: string, { header }: Pick<ApiContext, 'header'>) {
    const files = await (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
    const file = files.get(path)
    if (file === undefined) throw new SallyportError('NOT_FOUND', 'The path does not exist')
    const { headers, body } = acceptsGzip(header('accept-encoding')) ? file.gzip() : file.plain
    return { status: 200 as const, headers, body }
  }

  const get = (path: string, mediaType: string) => {
    const responses = { 200: { description: 'The file', mediaType } }
    return route.get(path, { operationId: getName(path), summary: path, responses }, (_, context) =>
      answer(context.path, context),
    )
  }
  const page = (path: string) => [get(path, types.html), get(`${path}/{file}`, '*')]
  return [
    ...Object.keys(documents).map((path) => get(path, types.json)),
    ...(pages.includes('swagger-ui') ? page('/docs') : []),
    ...(pages.includes('redoc') ? page('/redoc') : []),
  ]
}

const types = { json: 'application/json; charset=utf-8', html: 'text/html; charset=utf-8' } as const

/** Converts `/docs/{file}` to `getDocsFile`. */
const getName = (path: string): string =>
  `get${path.replaceAll(/[^a-z0-9]+([a-z0-9]?)/gi, (_, letter: string) => letter.toUpperCase())}`
