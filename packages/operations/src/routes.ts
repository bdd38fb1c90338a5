import type { RouteBinding } from '@sallyport/rest'
import type { Replayer } from '@sallyport/webhooks'
import type { AuditLog } from '@sallyport/webhooks/audit'
import type { TrafficStore } from '@sallyport/webhooks/traffic'
import type {
  UnprocessedDiagnoser,
  UnprocessedReplayer,
  UnprocessedStore,
} from '@sallyport/webhooks/unprocessed'
import { scopePermissions, type GetAccess, type GetOperator, type Operator, type Scope } from './access.ts'
import { listAuditRoute } from './audit/list.ts'
import { createRecordAction } from './audit/record-action.ts'
import { catalogueRoutes, type ProviderCatalogue } from './catalogue/routes.ts'
import { eraseRoute } from './deliveries/erase.ts'
import { eventDataRoute } from './deliveries/event-data.ts'
import { listDeliveriesRoute } from './deliveries/list.ts'
import { replayDeliveriesRoute, replayDeliveryRoute } from './deliveries/replays.ts'
import { retryDeliveryRoute, retryEventsRoute } from './deliveries/retries.ts'
import { getDeliveryRoute } from './deliveries/show.ts'
import { streamDeliveriesRoute } from './deliveries/stream.ts'
import type { ManagedEndpoints } from './endpoints/managed-endpoints.ts'
import { endpointRoutes } from './endpoints/routes.ts'
import { endpointStatisticsRoute } from './endpoints/statistics.ts'
import { listEventsRoute } from './events/list.ts'
import { streamEventsRoute } from './events/stream.ts'
import { listFailuresRoute } from './failures/list.ts'
import { supports, type OperationsInbox } from './inbox.ts'
import { keyRoutes, type ManagedKeys } from './keys/routes.ts'
import { getOperatorRoute } from './operator/show.ts'
import { replayJobRoutes, type ManagedReplayJobs } from './replay-jobs/routes.ts'
import { createStreams, type StreamsOptions } from './streams/streams.ts'
import { statisticsRoute } from './traffic/statistics.ts'
import { statusRoute, type GetHealth } from './traffic/status.ts'
import {
  diagnoseUnprocessedRoute,
  getUnprocessedRoute,
  listUnprocessedRoute,
  replayUnprocessedRoute,
} from './unprocessed/routes.ts'

export interface OperationsRoutesOptions {
  readonly inbox: OperationsInbox
  /** @default no replays */
  readonly replayer?: Replayer
  /** The counts of requests, which a traffic recorder writes. @default no statistics */
  readonly traffic?: Pick<TrafficStore, 'sum'> | undefined
  /** The ignored and refused deliveries, which a keeper stores. @default no routes of them */
  readonly unprocessed?: Pick<UnprocessedStore, 'list' | 'count' | 'get'> | undefined
  /** Processes an ignored or refused delivery again. @default no replays of them */
  readonly replayUnprocessed?: UnprocessedReplayer | undefined
  /** Explains why a delivery was refused. @default no explanations */
  readonly diagnoseUnprocessed?: UnprocessedDiagnoser | undefined
  /** Returns the state of the host, for `GET /status`. @default no dependencies and no notices */
  readonly getHealth?: GetHealth | undefined
  /** Records replays, erasures and changes, and lists them at `GET /audit`. @default no audit */
  readonly audit?: AuditLog | undefined
  /** The endpoints of the gateway, for the routes that create and change them. @default no routes for endpoints */
  readonly endpoints?: ManagedEndpoints | undefined
  /** The facts of providers, for the routes that list and show them. @default no routes for providers */
  readonly catalogue?: ProviderCatalogue | undefined
  /** API keys, for the routes that list, create and delete keys. @default no routes for keys */
  readonly keys?: ManagedKeys | undefined
  /** Returns the operator, for `GET /operator`, keys, streams and the audit. @default the caller */
  readonly getOperator?: GetOperator | undefined
  /** Replays that the server runs, of `createReplayJobs`. @default no routes for replay jobs */
  readonly replayJobs?: ManagedReplayJobs | undefined
  /** @default `{ roles: [permission] }` */
  readonly getAccess?: GetAccess
  /** The limits and the end of `GET /deliveries/stream` and `GET /events/stream`. */
  readonly streams?: StreamsOptions | undefined
}

/**
 * Creates the routes of deliveries, events and replays for an API of the application. `createOperations` creates a whole
 * API.
 *
 * The API needs `secrets` or `cursors` for the lists, and `idempotency` for the replays.
 *
 * @example
 * ```ts
 * import { createOperationsRoutes } from '@sallyport/operations'
 * import { memoryInbox } from '@sallyport/webhooks'
 *
 * const routes = createOperationsRoutes({ inbox: memoryInbox(), getAccess: () => ({ roles: ['admin'] }) })
 * ```
 */
export function createOperationsRoutes({
  inbox,
  replayer,
  traffic,
  unprocessed,
  replayUnprocessed,
  diagnoseUnprocessed,
  getHealth,
  audit,
  endpoints,
  catalogue,
  keys,
  replayJobs,
  getOperator = (caller) => caller as Operator,
  getAccess = (permission) => ({ roles: [permission] }),
  streams: streamsOptions,
}: OperationsRoutesOptions): readonly RouteBinding[] {
  const allow = (scope: Scope) => getAccess(scopePermissions[scope], scope)
  const record = createRecordAction(audit, getOperator)
  const readDeliveries = allow('deliveries:read')
  const readEvents = allow('events:read')
  const readStatistics = allow('statistics:read')
  const replay = allow('replays:write')
  const streams = createStreams(getOperator, streamsOptions)
  return [
    getOperatorRoute(
      getOperator,
      combineAccess(Object.keys(scopePermissions).map((scope) => allow(scope as Scope))),
    ),
    ...(supports(inbox, 'list', 'lastRecorded', 'recorded')
      ? [streamDeliveriesRoute(inbox, readDeliveries, streams)]
      : []),
    ...(supports(inbox, 'published') ? [streamEventsRoute(inbox, readEvents, streams)] : []),
    ...(supports(inbox, 'list', 'countDeliveries') ? [listDeliveriesRoute(inbox, readDeliveries)] : []),
    ...(supports(inbox, 'get')
      ? [getDeliveryRoute(inbox, readDeliveries), eventDataRoute(inbox, readEvents)]
      : []),
    ...(replayer
      ? [
          replayDeliveryRoute(replayer, replay, record),
          replayDeliveriesRoute(replayer, inbox, replay, record),
        ]
      : []),
    ...(supports(inbox, 'makeDue') ? [retryEventsRoute(inbox, replay, record)] : []),
    ...(supports(inbox, 'makeDue', 'get') ? [retryDeliveryRoute(inbox, replay, record)] : []),
    ...(supports(inbox, 'get', 'eraseBody') ? [eraseRoute(inbox, allow('deliveries:erase'), record)] : []),
    ...(supports(inbox, 'published', 'countPublished') ? [listEventsRoute(inbox, readEvents)] : []),
    ...(supports(inbox, 'failures') ? [listFailuresRoute(inbox, readDeliveries)] : []),
    ...(unprocessed
      ? [listUnprocessedRoute(unprocessed, readDeliveries), getUnprocessedRoute(unprocessed, readDeliveries)]
      : []),
    ...(diagnoseUnprocessed ? [diagnoseUnprocessedRoute(diagnoseUnprocessed, readDeliveries)] : []),
    ...(replayUnprocessed ? [replayUnprocessedRoute(replayUnprocessed, replay, record)] : []),
    ...(traffic ? [statisticsRoute(traffic, readStatistics)] : []),
    ...(endpoints && supports(inbox, 'endpointCounts')
      ? [endpointStatisticsRoute(inbox, readStatistics)]
      : []),
    ...(supports(inbox, 'stats') ? [statusRoute(inbox, getHealth, readStatistics)] : []),
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
    ...(catalogue ? catalogueRoutes(catalogue, allow('endpoints:read')) : []),
    ...(keys ? keyRoutes({ keys, getOperator, record, access: allow('keys:write') }) : []),
  ]
}

/** Combines the access of several routes: the result allows every caller that one of them allows. */
function combineAccess(accesses: readonly ReturnType<GetAccess>[]): ReturnType<GetAccess> {
  const roles = accesses.flatMap((access) => (access === 'authenticated' ? [] : access.roles))
  return accesses.includes('authenticated') ? 'authenticated' : { roles: [...new Set(roles)] }
}
