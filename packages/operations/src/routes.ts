import type { RouteBinding } from '@sallyport/rest'
import type { McpRouteOptions } from '@sallyport/rest/mcp'
import type { Webhooks } from '@sallyport/webhooks/node'
import { scopePermissions, type GetAccess, type GetOperator, type Operator, type Scope } from './access.ts'
import { listAuditRoute } from './audit/list.ts'
import { createRecordAction, type RecordAction } from './audit/record-action.ts'
import { catalogueRoutes, type LoadCatalogue } from './catalogue/routes.ts'
import { consumerChanges } from './consumers/changes.ts'
import { consumerLists } from './consumers/lists.ts'
import { cancelEventsRoute } from './deliveries/cancellations.ts'
import { eraseRoute } from './deliveries/erase.ts'
import { eraseDeliveriesRoute } from './deliveries/erasures.ts'
import { eventDataRoute } from './deliveries/event-data.ts'
import { listDeliveriesRoute } from './deliveries/list.ts'
import { replayDeliveriesRoute, replayDeliveryRoute } from './deliveries/replays.ts'
import { retryDeliveryRoute, retryEventsRoute } from './deliveries/retries.ts'
import { getDeliveryRoute } from './deliveries/show.ts'
import { searchDeliveriesRoute } from './deliveries/searches.ts'
import { deliveryStatisticsRoute } from './deliveries/statistics.ts'
import { streamDeliveriesRoute } from './deliveries/stream.ts'
import { listDestinationEventsRoute } from './destinations/events.ts'
import { managedDestinationRoutes } from './destinations/managed.ts'
import { destinationRoutes } from './destinations/routes.ts'
import { listDeclaredEndpointsRoute } from './endpoints/declared.ts'
import { defaultGatewayUrl, toManagedEndpoints } from './endpoints/managed-endpoints.ts'
import { createFindNames } from './endpoints/names.ts'
import { endpointRoutes } from './endpoints/routes.ts'
import { listEventsRoute } from './events/list.ts'
import { streamEventsRoute } from './events/stream.ts'
import { listFailuresRoute } from './failures/list.ts'
import { supports } from './inbox.ts'
import { instructions } from './instructions.ts'
import { keyRoutes, type ManagedKeys } from './keys/routes.ts'
import { laneChanges } from './lanes/changes.ts'
import { laneLists } from './lanes/lists.ts'
import { limitOperations } from './limits/limited-operations.ts'
import { isLimitable, limitRoutes } from './limits/limit-routes.ts'
import { getOperatorRoute } from './operator/show.ts'
import { reconciliationRoutes } from './reconciliations/routes.ts'
import { replayJobRoutes } from './replay-jobs/routes.ts'
import { listProcessesRoute } from './processes/list.ts'
import { createStreams, type Streams, type StreamsOptions } from './streams/streams.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { statisticsRoute } from './traffic/statistics.ts'
import { statusRoute, type GetHealth } from './traffic/status.ts'
import { replayAllUnprocessedRoute } from './unprocessed/bulk-replay.ts'
import {
  diagnoseUnprocessedRoute,
  getUnprocessedRoute,
  listUnprocessedRoute,
  replayUnprocessedRoute,
} from './unprocessed/routes.ts'

/** The result of `createWebhooks`, or the parts of your own. */
export type OperatedWebhooks = Pick<Webhooks, 'operations'>

export interface OperationsRoutesOptions {
  /** Returns the state of the host, for `GET /status`. @default no dependencies and no notices */
  readonly getHealth?: GetHealth | undefined
  /**
   * Loads the facts and the samples of providers, such as `builtInCatalogue` of `@sallyport/providers/catalogue`, at the
   * first request.
   *
   * @default the registered providers have no facts, and endpoints have no test deliveries
   */
  readonly catalogue?: LoadCatalogue | undefined
  /** API keys, for the routes that list, create and delete keys. @default no routes for keys */
  readonly keys?: ManagedKeys | undefined
  /** Returns the operator, for `GET /operator`, keys, streams and the audit. @default the caller */
  readonly getOperator?: GetOperator | undefined
  /** @default `{ roles: [permission] }` */
  readonly getAccess?: GetAccess
  /** The limits of `GET /deliveries/stream` and `GET /events/stream`. */
  readonly streams?: StreamsOptions | undefined
  /** Creates `POST /mcp` for assistants: `createMcpRoute` of `@sallyport/rest/mcp`. @default no such route */
  readonly mcp?: ((options: McpRouteOptions) => RouteBinding) | undefined
}

/**
 * Creates the routes of operators for an API of the application. `createOperations` creates a whole API.
 *
 * The API needs `secrets` or `cursors` for the lists, and `idempotency` for the replays.
 *
 * @param webhooks the result of `createWebhooks`, or the parts of your own
 * @example
 * ```ts
 * import { createOperationsRoutes } from '@sallyport/operations'
 * import type { Webhooks } from '@sallyport/webhooks/node'
 *
 * declare const webhooks: Webhooks // createWebhooks(…)
 * const routes = createOperationsRoutes(webhooks, { getAccess: () => ({ roles: ['admin'] }) })
 * ```
 */
export function createOperationsRoutes(
  { operations }: OperatedWebhooks,
  {
    getHealth,
    catalogue,
    keys,
    getOperator = (caller) => caller as Operator,
    getAccess = (permission) => ({ roles: [permission] }),
    streams: streamsOptions,
    mcp,
  }: OperationsRoutesOptions = {},
): readonly RouteBinding[] {
  const allow = (scope: Scope) => getAccess(scopePermissions[scope], scope)
  const anyOperator = combineAccess(Object.keys(scopePermissions).map((scope) => allow(scope as Scope)))
  const record = createRecordAction(operations.audit, getOperator)
  const streams = createStreams(getOperator, operations, streamsOptions)
  const getRefused = () => routes.map(({ route }) => route.operationId).filter((id) => !isLimitable(id))
  const parts = {
    ...{ getHealth, catalogue, keys, getOperator, allow, anyOperator, record, streams, getRefused },
  }
  const routes: readonly RouteBinding[] = limitRoutes(createRoutes(operations, parts), {
    getOperator,
    sources: operations,
    create: (findIds) =>
      createRoutes(limitOperations(operations, findIds), { ...parts, keys: undefined, getHealth: undefined }),
  })
  const server = { name: 'sallyport', version: '1.0.0', instructions }
  return mcp ? [...routes, mcp({ ...server, routes, access: anyOperator, tags: ['operator'] })] : routes
}

interface RouteParts extends Pick<OperationsRoutesOptions, 'getHealth' | 'catalogue' | 'keys'> {
  readonly getOperator: GetOperator
  readonly getRefused: () => readonly string[]
  readonly allow: (scope: Scope) => ReturnType<GetAccess>
  readonly anyOperator: ReturnType<GetAccess>
  readonly record: RecordAction
  readonly streams: Streams
}

/** Creates the routes over parts of webhooks, without those whose parts are absent. */
function createRoutes(
  operations: OperatedWebhooks['operations'],
  { getHealth, catalogue, keys, getOperator, getRefused, allow, anyOperator, record, streams }: RouteParts,
): readonly RouteBinding[] {
  const { inbox, replayer, eraser, replayJobs, traffic, audit, providers } = operations
  const { declaredEndpoints, gatewayUrl = defaultGatewayUrl } = operations
  const { unprocessed, replayUnprocessed, diagnoseUnprocessed, consumers, processes } = operations
  const endpoints = operations.endpoints && toManagedEndpoints(operations, operations.endpoints, catalogue)
  const findNames = createFindNames(operations.endpoints?.endpoints)
  const readDeliveries = allow('deliveries:read')
  const readEvents = allow('events:read')
  const readStatistics = allow('statistics:read')
  const replay = allow('replays:write')
  const erase = allow('deliveries:erase')
  return [
    getOperatorRoute({ getOperator, getRefused }, anyOperator),
    ...(supports(inbox, 'list', 'lastRecorded', 'recorded')
      ? [streamDeliveriesRoute(inbox, findNames, readDeliveries, streams)]
      : []),
    ...(supports(inbox, 'published') ? [streamEventsRoute(inbox, findNames, readEvents, streams)] : []),
    ...(supports(inbox, 'list', 'countDeliveries')
      ? [listDeliveriesRoute(inbox, findNames, readDeliveries)]
      : []),
    ...(supports(inbox, 'list', 'get') ? [searchDeliveriesRoute(inbox, findNames, readDeliveries)] : []),
    ...(supports(inbox, 'get')
      ? [getDeliveryRoute(inbox, findNames, readDeliveries), eventDataRoute(inbox, readEvents)]
      : []),
    ...(replayer
      ? [
          replayDeliveryRoute(replayer, replay, record),
          replayDeliveriesRoute(replayer, inbox, replay, record),
        ]
      : []),
    ...(supports(inbox, 'makeDue') ? [retryEventsRoute(inbox, replay, record)] : []),
    ...(supports(inbox, 'makeDue', 'get') ? [retryDeliveryRoute(inbox, replay, record)] : []),
    ...(supports(inbox, 'cancel') ? [cancelEventsRoute(inbox, replay, record)] : []),
    ...(supports(inbox, 'get', 'eraseBody') ? [eraseRoute(inbox, findNames, erase, record)] : []),
    ...(eraser ? [eraseDeliveriesRoute(eraser, erase, record)] : []),
    ...(supports(inbox, 'published', 'countPublished')
      ? [listEventsRoute(inbox, findNames, readEvents)]
      : []),
    ...(supports(inbox, 'failures')
      ? [listFailuresRoute({ inbox, consumers }, findNames, readDeliveries)]
      : []),
    ...(unprocessed
      ? [
          listUnprocessedRoute(unprocessed, findNames, readDeliveries),
          getUnprocessedRoute(unprocessed, findNames, readDeliveries),
        ]
      : []),
    ...(diagnoseUnprocessed ? [diagnoseUnprocessedRoute(diagnoseUnprocessed, readDeliveries)] : []),
    ...(replayUnprocessed ? [replayUnprocessedRoute(replayUnprocessed, replay, record)] : []),
    ...(unprocessed && replayUnprocessed && replayJobs
      ? [replayAllUnprocessedRoute({ store: unprocessed, jobs: replayJobs, getOperator, record }, replay)]
      : []),
    ...(consumers
      ? [
          ...consumerLists(consumers, findNames, readDeliveries),
          ...consumerChanges({ consumers, record, replay, erase }),
        ]
      : []),
    ...(supports(inbox, 'listLanes') ? laneLists(inbox, findNames, readDeliveries) : []),
    ...(supports(inbox, 'pauseLane', 'resumeLane', 'skipLaneHead', 'retryLaneHead', 'cancelLane')
      ? laneChanges({ inbox, record, access: replay })
      : []),
    ...(operations.destinations
      ? destinationRoutes({
          destinations: operations.destinations,
          record,
          read: readDeliveries,
          write: replay,
        })
      : []),
    ...(operations.destinations && operations.managedDestinations
      ? managedDestinationRoutes({
          ...{ inbox, record, idempotency: operations.idempotency },
          managed: operations.managedDestinations,
          operations: operations.destinations,
          access: allow('endpoints:write'),
        })
      : []),
    ...(operations.reconciliations
      ? reconciliationRoutes({
          reconciliations: operations.reconciliations,
          record,
          read: readDeliveries,
          write: replay,
        })
      : []),
    ...(operations.destinations && supports(inbox, 'destinationEvents')
      ? [listDestinationEventsRoute(inbox, operations.destinations, readDeliveries)]
      : []),
    ...(traffic ? [statisticsRoute(traffic, readStatistics)] : []),
    ...(supports(inbox, 'newestCounts') ? [deliveryStatisticsRoute(inbox, findNames, readStatistics)] : []),
    ...(supports(inbox, 'stats')
      ? [
          statusRoute(
            {
              ...{ inbox, consumers, processes, getHealth, getNotices: operations.notices },
              reconciliations: operations.reconciliations,
            },
            readStatistics,
          ),
        ]
      : []),
    ...(processes ? [listProcessesRoute(processes, readStatistics)] : []),
    ...(audit ? [listAuditRoute(audit, allow('audit:read'))] : []),
    ...(replayJobs && supports(inbox, 'countDeliveries')
      ? replayJobRoutes({ jobs: replayJobs, inbox, getOperator, record, read: readDeliveries, replay })
      : []),
    ...(endpoints
      ? endpointRoutes({
          managed: endpoints,
          record,
          read: allow('endpoints:read'),
          write: allow('endpoints:write'),
        })
      : []),
    ...(operations.subscriptions
      ? subscriptionRoutes({
          ...{ subscriptions: operations.subscriptions, findNames, record },
          ...{ read: allow('endpoints:read'), write: allow('endpoints:write') },
        })
      : []),
    ...(declaredEndpoints
      ? [listDeclaredEndpointsRoute(declaredEndpoints, gatewayUrl, allow('endpoints:read'))]
      : []),
    ...(providers
      ? catalogueRoutes({ providers, gatewayUrl, load: catalogue ?? (() => []) }, allow('endpoints:read'))
      : []),
    ...(keys ? keyRoutes({ keys, getOperator, record, access: allow('keys:write') }) : []),
  ]
}

/** Combines the access of several routes: the result allows every caller that one of them allows. */
function combineAccess(accesses: readonly ReturnType<GetAccess>[]): ReturnType<GetAccess> {
  const roles = accesses.flatMap((access) => (access === 'authenticated' ? [] : access.roles))
  return accesses.includes('authenticated') ? 'authenticated' : { roles: [...new Set(roles)] }
}
