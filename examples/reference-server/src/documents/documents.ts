import { gzipSync } from 'node:zlib'
import { SallyportError } from '@sallyport/errors'
import { acceptsGzip } from '@sallyport/internal/accept-encoding'
import { createRouteGroup, type RouteBinding } from '@sallyport/rest'
import { z } from 'zod'
import type { Caller, RequestContext } from '@sallyport/sql/accounts'
import type { DocumentFile } from './file.ts'
import type { ServerDocumentOptions } from './openapi.ts'

const route = createRouteGroup<Caller>({ access: 'public' })

/**
 * Creates the routes of the OpenAPI document, `/openapi.json`, of the AsyncAPI document, `/asyncapi.json`, and of the pages
 * `/docs` and `/redoc` with their assets.
 *
 * The files are created with the first request, because their libraries would slow down every start.
 */
export function documentRoutes(options: ServerDocumentOptions): readonly RouteBinding<RequestContext>[] {
  let loading: Promise<ReadonlyMap<string, ServedFile>> | undefined

  async function load(): Promise<ReadonlyMap<string, ServedFile>> {
    const { createFiles } = await import('./files.ts')
    return new Map(createFiles(options).map((file) => [file.path, toServed(file)]))
  }

  async function answer(path: string, { header }: RequestContext) {
    // After an error, the next request retries: the error may be temporary, such as a lack of file descriptors.
    const files = await (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
    const file = files.get(path)
    if (file === undefined) throw new SallyportError('NOT_FOUND', 'The path does not exist')
    const { headers, body } = acceptsGzip(header('accept-encoding')) ? file.gzip() : file.plain
    return { status: 200 as const, headers, body }
  }

  const page = (path: string, operationId: string, mediaType: string) => {
    return route.get(
      path,
      {
        operationId,
        summary: path,
        responses: { 200: { description: 'The file', mediaType } },
      },
      (_, context) => answer(path, context),
    )
  }
  const assets = (path: '/docs/{file}' | '/redoc/{file}', operationId: string) => {
    return route.get(
      path,
      {
        operationId,
        summary: path,
        params: z.object({ file: z.string() }),
        responses: { 200: { description: 'The file', mediaType: '*' } },
      },
      ({ params }, context) => answer(path.replace('{file}', params.file), context),
    )
  }
  return [
    page('/openapi.json', 'getDocument', 'application/json; charset=utf-8'),
    page('/asyncapi.json', 'getAsyncApiDocument', 'application/json; charset=utf-8'),
    page('/docs', 'getSwaggerUi', 'text/html; charset=utf-8'),
    assets('/docs/{file}', 'getSwaggerUiFile'),
    page('/redoc', 'getRedoc', 'text/html; charset=utf-8'),
    assets('/redoc/{file}', 'getRedocFile'),
  ]
}

interface Representation {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

interface ServedFile {
  readonly plain: Representation
  /** Compresses the file when a client first asks for it. */
  readonly gzip: () => Representation
}

function toServed({ headers, body }: DocumentFile): ServedFile {
  const varying = { ...headers, Vary: 'Accept-Encoding' }
  let gzip: Representation | undefined
  return {
    plain: { headers: varying, body },
    gzip: () =>
      (gzip ??= {
        // Each representation has its own ETag (RFC 9110, section 8.8.3).
        headers: { ...varying, 'Content-Encoding': 'gzip', ETag: headers.ETag.replace(/"$/, '-gzip"') },
        body: gzipSync(body),
      }),
  }
}
