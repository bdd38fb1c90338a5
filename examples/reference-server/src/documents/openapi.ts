import type { AnyRoute } from '@sallyport/rest'
import { createOpenApiDocument, type OpenApiDocument } from '@sallyport/rest/openapi'
import type { AnyProvider } from '@sallyport/webhooks'
import { version } from '../version.ts'
import { tags } from './tags.ts'
import { webhookOperation } from './webhook-operation.ts'

/** A mounted route. */
interface MountedRoute {
  readonly route: AnyRoute
}

export interface ServerDocumentOptions {
  /** The routes under `/api/v1`. */
  readonly api: readonly MountedRoute[]
  /** The routes at the root. */
  readonly service: readonly MountedRoute[]
  /** The registered providers. */
  readonly providers: readonly AnyProvider[]
  /** The public origin. @default the origin of the document */
  readonly publicUrl?: string | undefined
}

/**
 * Creates the OpenAPI document of the server from its mounted routes.
 * @throws TypeError for a route with a tag that `tags` does not describe
 */
export function serverDocument({
  api,
  service,
  providers,
  publicUrl,
}: ServerDocumentOptions): OpenApiDocument {
  const routes = [
    ...service.map(({ route }) => route),
    // Each route reads the database, at least for the session of the caller.
    ...api.map(({ route }) => ({
      ...route,
      path: `/api/v1${route.path}`,
      errors: [...(route.errors ?? []), 'SERVICE_UNAVAILABLE'],
    })),
  ]
  const used = new Set(['webhooks', ...routes.flatMap((route) => route.tags ?? [])])
  const document = createOpenApiDocument({
    routes,
    info: {
      title: 'Sallyport',
      version,
      description,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    commonErrors: ['NOT_ACCEPTABLE', 'URI_TOO_LONG', 'RATE_LIMITED', 'INTERNAL_ERROR'],
    // The builder rejects a used tag without a description.
    tags: tags.filter(({ name }) => used.has(name)),
    security: {
      name: 'bearer',
      scheme: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The `access_token` of a session: `POST /api/v1/sessions`.',
      },
    },
  })
  return {
    ...document,
    paths: { ...document.paths, '/webhooks/{provider}': { post: webhookOperation(providers) } },
  }
}

const description = `Users, posts and projects under \`/api/v1\`, and webhooks of other services.

Every error has the envelope \`{ "error": { "code", "message", "details"? } }\`, or is \`application/problem+json\` if
\`Accept\` requests that. Branch on \`code\`, which is stable. HEAD works for every GET, and OPTIONS for every path.`
