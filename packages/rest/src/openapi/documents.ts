import type { ApiContext } from '../api/api-context.ts'
import type { RouteBinding } from '../route-binding.ts'
import { createRouteGroup } from '../route-group.ts'
import type { AnyRoute } from '../route.ts'
import { createOpenApiDocument, type OpenApiOptions } from './document.ts'
import type { OpenApiInfo } from './document-model.ts'
import { renderPage } from './page.ts'

const group = createRouteGroup({ access: 'public', etag: true })

/** The information about an API and the options of its OpenAPI document. */
export interface DocumentsOptions extends OpenApiInfo, Omit<OpenApiOptions, 'routes' | 'info' | 'prefix'> {
  /** @default the path that the API is mounted at */
  readonly servers?: NonNullable<OpenApiOptions['servers']>
  /** Descriptions of tags, in the order of the document. Other tags of routes follow in their order. @default [] */
  readonly tags?: NonNullable<OpenApiOptions['tags']>
  /** @default NOT_ACCEPTABLE, RATE_LIMITED, INTERNAL_ERROR and SERVICE_UNAVAILABLE, which `createApi` answers with */
  readonly commonErrors?: readonly string[]
}

/**
 * Creates the option `documents` of `createApi`: `GET /openapi.json` is the OpenAPI document, and `GET /docs` is a page
 * that shows it without scripts.
 *
 * The first request creates both. A route that cannot be documented is a 500, which `onError` receives.
 *
 * @example
 * ```ts
 * import { createApi, createRouteGroup } from '@sallyport/rest'
 * import { createDocuments } from '@sallyport/rest/openapi'
 * import { z } from 'zod'
 *
 * const route = createRouteGroup({ access: 'public' })
 * const api = createApi({
 *   routes: [route.get('/ping', { operationId: 'ping', data: z.literal('pong') }, () => 'pong')],
 *   documents: createDocuments({ title: 'An API', version: '1.0.0' }),
 * })
 * ```
 */
export function createDocuments({
  servers,
  tags = [],
  commonErrors = ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  openapi,
  introduction,
  security,
  errorExamples,
  statuses,
  invalid,
  webhooks,
  ...info
}: DocumentsOptions): (routes: readonly AnyRoute[]) => readonly RouteBinding[] {
  return (routes) => {
    const create = (mountPath: string) => {
      const used = routes.flatMap((route) => route.tags ?? [])
      const others = new Set(used.filter((tag) => !tags.some(({ name }) => name === tag)))
      const document = createOpenApiDocument({
        routes,
        info,
        servers: servers ?? [{ url: mountPath === '' ? '/' : mountPath }],
        tags: [...tags, ...[...others].map((name) => ({ name, description: `Operations on ${name}.` }))],
        commonErrors,
        ...(openapi && { openapi }),
        ...(introduction !== undefined && { introduction }),
        ...(security && { security }),
        ...(errorExamples && { errorExamples }),
        ...(statuses && { statuses }),
        ...(invalid && { invalid }),
        ...(webhooks && { webhooks }),
      })
      return { mountPath, json: JSON.stringify(document), page: renderPage(document) }
    }
    // An API has one mount path as a rule. Only the last is cached, because a host may derive it from the request.
    let cached: ReturnType<typeof create> | undefined
    const load = ({ mountPath }: ApiContext) =>
      cached?.mountPath === mountPath ? cached : (cached = create(mountPath))
    return [
      group.get(
        '/openapi.json',
        {
          operationId: 'getOpenApi',
          summary: 'Get the OpenAPI document',
          responses: { 200: { description: 'The document', mediaType: 'application/json; charset=utf-8' } },
        },
        (_, context) => ({ status: 200, body: load(context).json }),
      ),
      group.get(
        '/docs',
        {
          operationId: 'getDocs',
          summary: 'Get the documentation',
          responses: { 200: { description: 'The page', mediaType: 'text/html; charset=utf-8' } },
        },
        (_, context) => {
          const { html, policy } = load(context).page
          return { status: 200, headers: { 'Content-Security-Policy': policy }, body: html }
        },
      ),
    ]
  }
}
