import type { DispatcherOptions } from '../dispatch/dispatcher.ts'
import type { LanesOptions, SelectLane } from '../gateway/lanes.ts'
import type { GatewayOptions } from '../gateway/gateway.ts'
import type { PipelineOptions } from '../gateway/pipeline-options.ts'
import type { WithInbox } from '../gateway/inbox-recorder.ts'
import type { SearchPaths } from '../gateway/search-values.ts'
import type { RedactPaths } from '../redaction/redactor.ts'
import type { LimitedEventHandlers } from '../handlers/event-handlers.ts'
import type { HandlersOptions, RunnerOptions } from '../run/runner-options.ts'
import type { ReplayerOptions } from '../operations/replayer.ts'
import type { Destination, DestinationSource } from '../ports/destination.ts'
import type { EndpointSource, Publisher, SecretSource } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { SubscriptionsOptions } from '../subscriptions/options.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { SecretKeeper } from '../secrets/secret-keeper.ts'
import type { WebhookAlerts } from './alerts.ts'
import type { WebhookDatabase } from './database.ts'
import type { WebhookProcess } from './processes.ts'
import type { WebhookReconcile } from './reconcile.ts'
import type { ReportError } from './report.ts'
import type { SecretsByName } from './secrets.ts'
import type { KeepUnprocessed } from './unprocessed.ts'
import type { WebhookRetention } from './upkeep.ts'

/** Endpoints of the database, or another source. */
export type EndpointsOption = true | EndpointSource | undefined

export interface WebhooksOptions<
  Providers extends readonly AnyProvider[],
  Source extends EndpointsOption = EndpointsOption,
> {
  /** The stores: `openSqlite`, `openPostgres`, `createMemoryDatabase()`, or your own. A feature without its store is off. */
  readonly database: WebhookDatabase
  readonly providers: Providers
  /**
   * The secrets of the addresses without an endpoint.
   *
   * @default none; `endpoints` is required then
   */
  readonly secrets?: SecretsByName | SecretSource | SecretKeeper
  /**
   * Addresses with separate secrets, such as one per customer: `true` for those of the database, which are created by
   * `webhooks.endpoints` and by operators. @default none
   */
  readonly endpoints?: Source
  /**
   * Keys of 32 bytes, in base64 or hexadecimal, newest first; all processes need them. They encrypt the secrets of endpoints
   * and the signatures of refused deliveries, and sign cursors of the operations API.
   *
   * @default a random key of this process; endpoints and refused deliveries are not stored then
   */
  readonly encryptionKeys?: readonly string[]
  /**
   * Handlers by the name of their event, alone or with limits: `{ handler, timeoutMs, concurrency, maxAttempts, backoff }`. An
   * event is retried until its handler returns. Either `on` or `publisher`, unless there are `destinations`.
   */
  readonly on?: LimitedEventHandlers<Providers>
  /**
   * The lane of an event, such as `(event) => event.source.endpoint ?? event.subject`. The events of one lane are handled in
   * the order of their records, one at a time in all processes together, and lanes beside each other: a slow or failing lane
   * delays itself alone. Needs `on`, and an inbox with lanes.
   *
   * @default events have no lane, and no order
   */
  readonly lane?: SelectLane
  /** The order of the events of a lane, and what follows a dead letter. Needs `lane`. */
  readonly lanes?: WebhookLanes
  /** Publishes events to a bus. Either `on` or `publisher`, unless there are `destinations`. */
  readonly publisher?: Publisher
  /**
   * HTTP services and other destinations that receive events or deliveries, each with its own limits, order and retries, alone or
   * beside `on` or `publisher`. Needs an inbox with lanes.
   *
   * @default none
   */
  readonly destinations?: readonly Destination[] | DestinationSource
  /**
   * Limits of the ignored and refused deliveries, which are kept for inspection and replay; `false` keeps none, and deletes
   * those of earlier.
   *
   * @default one day, if there are `encryptionKeys` and the database has the store
   */
  readonly unprocessed?: KeepUnprocessed | false
  /**
   * Registers webhooks at services, and keeps them registered. Needs `publicUrl` and a database with the store.
   *
   * @default none
   */
  readonly subscriptions?: SubscriptionsOptions
  /**
   * Sources of what services could not deliver: a process that dispatches finds and recovers what is missing. @default none
   */
  readonly reconcile?: WebhookReconcile
  /** How this process appears to operators, with its dependencies. */
  readonly process?: WebhookProcess
  /**
   * Further values that find a delivery, by the name of its provider: `{ shopify: ['order_number', 'header:x-shopify-order-id'] }`.
   * A path names a member of the body, and `*` each element of a list. @default {}
   */
  readonly searchPaths?: SearchPaths
  /**
   * Values that are removed before anything is stored or published, by the name of the provider, or `*` for all:
   * `{ stripe: ['data.object.billing_details'], '*': ['**.email'] }`. A path names a member of the body or of the data of an
   * event; `*` in a path is any member, and `**` any number of them. Handlers do not receive the values, and a replay does
   * not have them. @default {}
   */
  readonly redact?: RedactPaths
  /** The receivers of alerts. @default none */
  readonly alerts?: WebhookAlerts
  /**
   * How long rows are kept; `false` keeps them all, except counts of requests and expired responses.
   *
   * @default the defaults of `createRetention`, and 90 days for the audit
   */
  readonly retention?: WebhookRetention | false
  /**
   * Called with errors of the stores and of leased secrets, and the part that failed. The part continues when the cause is
   * gone. Without `gateway.observe`, the part `gateway` reports each minute why it answers 500 or 503, and once that a delivery
   * arrived before `start`.
   *
   * @default console.error, without the message of the error
   */
  readonly onError?: ReportError
  /**
   * Called with each error of a handler, such as a timeout, and its event; for an error tracker.
   *
   * @default console.error, with the stack and without the message, which can quote the payload
   */
  readonly onHandlerError?: RunnerOptions['onHandlerError']
  /** Called for each settled attempt to handle or publish an event. */
  readonly onAttempt?: DispatcherOptions['onAttempt']
  /** Called with the reason why a replayed delivery stays in quarantine. */
  readonly onQuarantined?: ReplayerOptions['onQuarantined']
  /** The path before the name of the provider. @default '/webhooks' */
  readonly basePath?: string
  /** The public origin, such as `https://hooks.example.com`, for schemes that sign the URL. */
  readonly publicUrl?: string
  /** Traces and measures: `createTelemetry` of `@sallyport/webhooks/telemetry`. @default nothing is measured */
  readonly telemetry?: Telemetry
  /** Further options of the gateway, such as `limits` and `observe`. */
  readonly gateway?: Omit<
    PipelineOptions,
    'providers' | 'endpoints' | 'onUnprocessed' | 'keepsBlocked' | 'redactor'
  > &
    Pick<WithInbox, 'notifications' | 'maxEventAgeMs' | 'queuePilots'> &
    Pick<GatewayOptions, 'newId'>
  /**
   * Further options of the dispatcher, such as `notifications`. With `on`, only `notifications`, `leaseMs`, `pollMs` and the
   * clocks apply; the limits of handlers are in `handlers`.
   */
  readonly dispatcher?: Partial<Omit<DispatcherOptions, 'inbox' | 'publisher' | 'onAttempt' | 'onError'>>
  /** The limits of all handlers, such as their concurrency. A handler can have limits of its own. Needs `on`. */
  readonly handlers?: Omit<HandlersOptions, 'onDead'>
}

export type AnyOptions = WebhooksOptions<readonly AnyProvider[]>

/** How the events of a lane are handled. */
type WebhookLanes = Omit<LanesOptions, 'onError'> & Pick<HandlersOptions, 'onDead'>

/** The options of `dispatcher` that apply to handlers. */
export type RunnerDispatcherOptions = Pick<
  RunnerOptions,
  'notifications' | 'leaseMs' | 'pollMs' | 'now' | 'monotonicNow' | 'random'
>
