import type { AnyRoute } from '@sallyport/rest'
import { createOpenApiDocument, type OpenApiDocument } from '@sallyport/rest/openapi'
import type { AnyProvider } from '@sallyport/webhooks'
import { version } from '../version.ts'
import { tags } from './tags.ts'
import { webhookOperation } from './webhook-operation.ts'

/** A route as it is mounted; its handler is not looked at. */
interface MountedRoute {
  readonly route: AnyRoute
}

export interface ServerDocumentOptions {
  /** What is mounted under the version. */
  readonly api: readonly MountedRoute[]
  /** What is mounted at the root. */
  readonly service: readonly MountedRoute[]
  /** The registered providers. */
  readonly providers: readonly AnyProvider[]
  /** The origin that clients use. @default the one that the document came from */
  readonly publicUrl?: string | undefined
}

/**
 * The OpenAPI document of the whole server, from the declarations that are mounted.
 *
 * @throws TypeError when a route carries a tag that `tags` does not describe
 */
export function serverDocument({
  api,
  service,
  providers,
  publicUrl,
}: ServerDocumentOptions): OpenApiDocument {
  const routes = [
    ...service.map(({ route }) => route),
    // Each of them stands on the database, if only to see whether the caller's session has ended.
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
    // A tag that is used and not described is left for the builder to refuse.
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

Every error is answered with the envelope \`{ "error": { "code", "message", "details"? } }\`, or as
\`application/problem+json\` where \`Accept\` asks for that. Branch on \`code\`, which is stable. HEAD is answered wherever
GET is, and OPTIONS everywhere.`
