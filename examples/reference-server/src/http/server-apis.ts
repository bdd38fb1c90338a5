import { isSallyportError, SallyportError } from '@sallyport/errors'
import { createOperationsRoutes } from '@sallyport/operations'
import { createApi, createMemoryRateLimit, type Api, type ApiEvent, type ApiOptions } from '@sallyport/rest'
import { createMcpRoute } from '@sallyport/rest/mcp'
import { readFleet } from '@sallyport/webhooks/processes'
import type { Config } from '../config/config.ts'
import { createCursors } from '../config/derived-keys.ts'
import { consoleRoutes } from '../console/console-routes.ts'
import { getPermissions, type Caller } from '@sallyport/sql/accounts'
import { toRetryable } from '@sallyport/sql/resources'
import { documentRoutes } from '../documents/documents.ts'
import { apiPath } from './path.ts'
import type { Logger } from '../logging/log.ts'
import type { Resources } from '../resources/open-resources.ts'
import { checkReadiness, type Dependency } from '@sallyport/rest/health'
import { serviceRoutes } from '../service/routes.ts'
import type { ServerWebhooks } from '../webhooks/open-webhooks.ts'

export interface ServerApisOptions {
  readonly config: Config
  readonly resources: Resources
  readonly webhooks: Pick<ServerWebhooks, 'gateway' | 'operations'>
  readonly dependencies: readonly Dependency[]
  /** The current notices for the operator. */
  readonly notices: () => readonly string[]
  readonly log: Logger
  /** Notes the route of a request for telemetry. */
  readonly onRoute: NonNullable<ApiOptions<Caller, object>['onRoute']>
  /** Aborted when the server begins to stop. */
  readonly stopping: AbortSignal
}

/** The APIs of the server by the place where the application mounts them. */
export interface ServerApis {
  /** The resources and the operations; undefined without the role `api`, like `documents` and `console`. */
  readonly api?: Api
  readonly documents?: Api
  readonly console?: Api
  readonly service: Api
}

export function createServerApis(options: ServerApisOptions): ServerApis {
  const { config, resources, webhooks, dependencies, notices, log, stopping } = options
  const { settings, providers } = config
  const { ROLE: role, JSON_BODY_LIMIT: bodyLimit, CORS_ORIGINS: origins } = settings
  const { onResponse: reportRefused, ...common } = createCommonOptions(options)
  const service = [
    ...serviceRoutes({
      providers: role.has('gateway') ? webhooks.gateway.providers : [],
      hasDocuments: role.has('api'),
      ...{ dependencies, stopping },
      notices: () => [...notices(), ...describeFleet(webhooks.operations)],
    }),
    ...resources.accounts.keySetRoutes,
  ]
  const apis = { service: createApi({ ...common, routes: service }) }
  if (!role.has('api')) return apis

  const api = [...resources.api.routes, ...operationsRoutes(options)]
  const pages = settings.CONSOLE ? consoleRoutes(settings, log) : undefined
  return {
    ...apis,
    api: createApi({
      ...common,
      routes: api,
      onResponse: (response) => {
        if (settings.ACCESS_LOG) logAccess(log, response)
        reportRefused(response)
      },
      ...(origins && { cors: { origins } }),
    }),
    documents: createApi({
      ...common,
      routes: documentRoutes({ api, service, providers, publicUrl: settings.PUBLIC_URL, bodyLimit }),
    }),
    ...(pages && { console: createApi({ ...common, routes: pages }) }),
  }
}

/** Describes missing roles, and outages that other processes see. */
function describeFleet({ processes }: ServerWebhooks['operations']): readonly string[] {
  const { missing, outages } = readFleet(processes?.latest() ?? [])
  return [...missing, ...outages].map(({ text }) => text)
}

/** Creates the options that all APIs share. */
function createCommonOptions({ config, resources, log, onRoute }: ServerApisOptions) {
  const { settings, jwtSecrets } = config
  return {
    ...resources.api,
    cursors: createCursors(jwtSecrets),
    bodyLimit: settings.JSON_BODY_LIMIT,
    rateLimits: {
      ...resources.api.rateLimits,
      // One quota for the API, the service and the documents.
      default: createMemoryRateLimit({ name: 'default', quota: settings.RATE_LIMIT, window: 60 }),
    },
    mapError: toRetryable,
    onError: (error, { requestId }) => {
      // Clients can cause many of these responses.
      if (isSallyportError(error) && error.status === 503)
        log.debug({ code: error.code, requestId }, error.message)
      else log.error({ err: error, requestId }, 'Unexpected error')
    },
    onRoute,
  } satisfies ApiOptions<Caller, object>
}

/** Logs a request of the REST API. */
function logAccess(log: Pick<Logger, 'info'>, response: ApiEvent<Caller>): void {
  const { request, route, status, error, caller, clientNetwork: address, durationMs } = response
  const { method, requestId } = request
  const code = isSallyportError(error) ? error.code : undefined
  const [userId, keyId] = [caller?.sub, caller?.key?.id]
  const path = route && apiPath + route.path
  log.info(
    { method, route: path, status, code, userId, keyId, address, requestId, durationMs },
    'REST request',
  )
}

/** Creates the routes of operators, for users with a permission and for API keys. */
function operationsRoutes({ webhooks, resources, dependencies, notices, stopping }: ServerApisOptions) {
  return createOperationsRoutes(
    // The streams of operators end before the webhooks, whose signal comes too late for the server to stop.
    { operations: { ...webhooks.operations, stopping } },
    {
      catalogue: async () => (await import('@sallyport/providers/catalogue')).builtInCatalogue,
      getHealth: async () => {
        const readiness = await checkReadiness(dependencies)
        return {
          dependencies: Object.entries(readiness.dependencies).map(([name, status]) => ({ name, status })),
          notices: notices(),
        }
      },
      keys: resources.accounts.apiKeys,
      mcp: createMcpRoute,
      getAccess: (permission, scope) => ({ roles: [permission, scope] }),
      getOperator: async (caller) => {
        const known = caller as Caller
        const { sub: id, key } = known
        const user = await resources.accounts.users.find({ id })
        if (user === undefined) throw new SallyportError('INVALID_TOKEN', 'The user of the token is deleted')
        return {
          id,
          name: user.email,
          permissions: getPermissions(known),
          ...(user.endpoints !== null && { endpoints: user.endpoints }),
          ...(key && { key, scopes: key.scopes }),
        }
      },
    },
  )
}
