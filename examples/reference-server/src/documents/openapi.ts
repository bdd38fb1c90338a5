import type { AnyRoute } from '@sallyport/rest'
import { createOpenApiDocument, type OpenApiDocument } from '@sallyport/rest/openapi'
import type { AnyProvider } from '@sallyport/webhooks'
import { createAsyncApiDocument, createWebhookPaths } from '@sallyport/webhooks/documents'
import { readAccess } from '@sallyport/sql/accounts'
import { version } from '../version.ts'
import { createErrorExamples } from './error-examples.ts'
import { tags } from './tags.ts'

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
  /** The largest body in bytes. */
  readonly bodyLimit: number
}

const license = { name: 'MIT', url: 'https://opensource.org/license/mit' }

/** Creates the AsyncAPI document of the events on the bus. */
export const eventsDocument = ({ providers }: Pick<ServerDocumentOptions, 'providers'>) =>
  createAsyncApiDocument(providers, { title: 'Sallyport events', version, license })

/**
 * Creates the OpenAPI document of the server from its mounted routes.
 * @throws TypeError for a route with a tag that `tags` does not describe
 */
export function serverDocument(
  { api, service, providers, publicUrl, bodyLimit }: ServerDocumentOptions,
  openapi: '3.0' | '3.1' = '3.0',
): OpenApiDocument {
  const routes = [
    ...service.map(({ route }) => route),
    // Each route reads the database, at least for the session of the caller.
    ...api.map(({ route }) => ({
      ...describeScopes(route),
      path: `/api/v1${route.path}`,
      errors: [
        ...(route.errors ?? []),
        'SERVICE_UNAVAILABLE',
        // Cookies and API keys authenticate on every route, but keys may not use every route.
        ...(route.access === 'public' ? [] : ['CSRF_REJECTED', 'FORBIDDEN']),
      ],
    })),
  ]
  const used = new Set(['webhooks', ...routes.flatMap((route) => route.tags ?? [])])
  const document = createOpenApiDocument({
    routes,
    openapi,
    info: {
      title: 'Sallyport',
      version,
      description,
      license,
    },
    servers: [{ url: publicUrl ?? '/' }],
    commonErrors: ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'],
    errorExamples: createErrorExamples(bodyLimit),
    // The builder rejects a used tag without a description.
    tags: tags.filter(({ name }) => used.has(name)),
    security: [
      {
        name: 'bearer',
        scheme: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'Log in with `POST /api/v1/sessions` to get an `access_token`. Before it expires, get a new one with the `refresh_token`: `POST /api/v1/sessions/{id}/tokens`. An operation that names a scope also accepts an API key of `POST /api/v1/keys`.',
        },
      },
      {
        name: 'cookie',
        scheme: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-sallyport',
          description:
            'Pages of this origin log in with `POST /api/v1/sessions/cookie`. A request that changes something also needs the header `X-CSRF-Protection: 1`. By plain HTTP on a loopback address, the name is `sallyport`.',
        },
      },
    ],
  })
  return { ...document, paths: { ...document.paths, ...createWebhookPaths(providers) } }
}

/** Describes the scopes of API keys apart from the roles of users. */
function describeScopes(route: AnyRoute): AnyRoute {
  if (typeof route.access !== 'object') return route
  const { roles, scopes } = readAccess(route.access.roles)
  if (scopes.length === 0) return route
  const names = scopes.map((scope) => `\`${scope}\``).join(', ')
  const sentence = `An API key needs ${scopes.length === 1 ? 'the scope' : 'one of the scopes'} ${names}.`
  return {
    ...route,
    access: { roles },
    description: route.description === undefined ? sentence : `${route.description}\n\n${sentence}`,
  }
}

const description = `The REST API under \`/api/v1\`, and webhooks of other services.

HEAD works for every GET, and OPTIONS for every path. Every response has the security headers \`X-Content-Type-Options\`,
\`Referrer-Policy\` and \`Content-Security-Policy\`.`
