import { createAlerts, type Alerts, type AlertSource, type AlertsOptions } from '../alerts/alerts.ts'
import type { AlertTarget } from '../alerts/send.ts'
import type { NamedEndpoints } from '../alerts/endpoint-names.ts'
import { watchEndpoints, watchServices } from '../alerts/failing-sources.ts'
import { watchDestinations } from '../alerts/destinations.ts'
import { watchLanes } from '../alerts/lanes.ts'
import { watchSilence, type SilenceOptions } from '../alerts/silence.ts'
import { watchProcesses } from '../alerts/process-source.ts'
import { watchSubscriptions } from '../alerts/subscriptions.ts'
import { watchReconciliations } from '../alerts/reconciliations.ts'
import { watchConsumers, watchInbox, watchVerification } from '../alerts/sources.ts'
import { createMemoryAlertStore } from '../alerts/store.ts'
import type { EndpointSource, OperatorInbox } from '../ports/ports.ts'
import type { Addresses } from './addresses.ts'
import type { Core } from './core.ts'
import type { WebhookInbox } from './database.ts'
import { hasMethod } from './has-method.ts'
import { hasStats } from './instrument.ts'
import type { WebhookOperations } from './operations.ts'

/** Who receives alerts about dead letters, quarantine, waiting events, invalid signatures, outages and missing processes. */
export interface WebhookAlerts extends Partial<
  Pick<AlertsOptions, 'sources' | 'checkMs' | 'holdMs' | 'repeatMs' | 'onError'>
> {
  /** Such as `createSlackAlerts` and `createHttpAlerts` of `@sallyport/webhooks/alerts`. */
  readonly targets: readonly AlertTarget[]
  /** The age of the oldest waiting event that causes an alert, in milliseconds. @default 300,000 */
  readonly oldestPendingMs?: number
  /** How long providers and endpoints may be silent; `false` for any time. @default the usual time of each provider */
  readonly silence?: SilenceOptions | false
  /** The address of the console, such as `https://ops.example.com/console`. @default messages have no link */
  readonly consoleUrl?: string
}

/** The pages of the console by the name of an alert, before its `/`. */
const pages: Readonly<Record<string, string>> = {
  dead_letters: 'failures',
  quarantine: 'quarantine',
  events_wait: 'deliveries?status=pending',
  lanes_stuck: 'processing',
  lanes_paused: 'processing',
  consumer_dead_letters: 'processing',
  consumer_waits: 'processing',
  subscription_expires: 'endpoints',
}

const canList = (inbox: WebhookInbox): inbox is WebhookInbox & Pick<OperatorInbox, 'list'> =>
  hasMethod(inbox, 'list')

/** Opens the alerts; undefined without options. */
export function openAlerts(
  options: WebhookAlerts | undefined,
  { database, inbox, providers, onError }: Core,
  operations: WebhookOperations,
  { endpoints }: Addresses,
  /** Finds a wrong clock of this machine, for alerts without heartbeats. */
  clock: AlertSource,
): Alerts | undefined {
  if (options === undefined) return undefined
  const { traffic, unprocessed, consumers, destinations, subscriptions, reconciliations } = operations
  const { processes } = operations
  const { targets, oldestPendingMs, silence, consoleUrl, sources = [], ...times } = options
  const limits = oldestPendingMs === undefined ? {} : { oldestPendingMs }
  const named = { ...limits, endpoints: endpoints && hasNames(endpoints) ? endpoints : undefined }
  return createAlerts({
    onError: (_, error) => onError(error, 'alerts'),
    ...times,
    targets,
    store: database.alerts?.() ?? createMemoryAlertStore(),
    sources: [
      ...(hasStats(inbox) ? [watchInbox(inbox, named)] : []),
      ...(hasLanes(inbox) ? [watchLanes(inbox, named)] : []),
      ...(consumers ? [watchConsumers(consumers, limits)] : []),
      ...(destinations ? [watchDestinations(destinations)] : []),
      ...(subscriptions ? [watchSubscriptions(subscriptions, named.endpoints)] : []),
      ...(reconciliations ? [watchReconciliations(reconciliations)] : []),
      // The heartbeats have the clocks of all processes.
      processes ? watchProcesses(processes) : clock,
      ...(traffic ? [watchVerification(traffic), watchServices(traffic)] : []),
      ...(traffic && silence !== false
        ? [
            watchSilence(
              {
                ...{ traffic, names: named.endpoints, inbox: canList(inbox) ? inbox : undefined },
                providers: providers.map(({ name }) => name),
              },
              silence,
            ),
          ]
        : []),
      ...(unprocessed && canList(inbox) ? [watchEndpoints(unprocessed, inbox)] : []),
      ...sources,
    ],
    ...(consoleUrl !== undefined && {
      getLinks: (name) => [
        { label: 'Console', url: `${consoleUrl}/${pages[name.split('/')[0] ?? ''] ?? 'overview'}` },
      ],
    }),
  })
}

const hasLanes = (inbox: WebhookInbox): inbox is WebhookInbox & Required<Pick<OperatorInbox, 'listLanes'>> =>
  hasMethod(inbox, 'listLanes')

const hasNames = (endpoints: EndpointSource): endpoints is EndpointSource & NamedEndpoints =>
  hasMethod(endpoints, 'getMany')
