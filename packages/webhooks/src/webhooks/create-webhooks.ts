import { createLanes } from '../gateway/lanes.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { openAddresses } from './addresses.ts'
import { openAlerts } from './alerts.ts'
import { createClockWatch } from './clock.ts'
import { openCore } from './core.ts'
import { openDestinations } from './destinations.ts'
import { openDispatcher } from './dispatcher.ts'
import { createResponseCipher, toEndpointOperations } from './endpoints.ts'
import { openEraser } from './eraser.ts'
import { createFaults } from './faults.ts'
import { openGateway } from './gateway.ts'
import { createHosts } from './hosts.ts'
import { createGauges } from './instrument.ts'
import { createLifecycle } from './lifecycle.ts'
import type { WebhookOperations } from './operations.ts'
import type { EndpointsOption, WebhooksOptions } from './options.ts'
import { openProcesses } from './processes.ts'
import { openReconciler } from './reconcile.ts'
import { openRedactor } from './redactor.ts'
import { openReplays } from './replays.ts'
import { deriveSecrets } from './secrets.ts'
import { renewOnEvents } from './subscriptions.ts'
import { openTraffic } from './traffic.ts'
import { openUnprocessed, toUnprocessedOperations } from './unprocessed.ts'
import { createUpkeep } from './upkeep.ts'
import type { OpenedEndpoints, Webhooks } from './webhooks.ts'

/**
 * Creates the webhooks of an application: the gateway, the dispatcher, and the features whose stores the database has, which
 * are endpoints, statistics, unprocessed deliveries, replay jobs, heartbeats of processes, alerts, the audit and retention.
 *
 * A delivery is verified, recorded and answered. Then each of its events goes to its handler, at least once and always with
 * the same id, also after a crash.
 *
 * @throws TypeError for a provider without a secret, for a handler without its provider, without a handler or publisher, for a feature without the store or the
 * keys that it needs, for malformed paths of `redact`, and as `createGateway`, `createRunner`,
 * `createDispatcher` and `createRetention`
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { github } from '@sallyport/providers/github'
 * import { openSqlite } from '@sallyport/sql/sqlite'
 * import { createWebhooks } from '@sallyport/webhooks/node'
 *
 * const webhooks = createWebhooks({
 *   database: await openSqlite({ path: './webhooks.db' }),
 *   providers: [github],
 *   secrets: { github: process.env['WEBHOOK_SECRET_GITHUB'] },
 *   on: {
 *     'github/push': ({ id, data }) => console.log(id, data),
 *   },
 * })
 * webhooks.start()
 * createServer(webhooks.node).listen(3000)
 * ```
 */
export function createWebhooks<
  const Providers extends readonly AnyProvider[],
  Source extends EndpointsOption = undefined,
>(options: WebhooksOptions<Providers, Source>): Webhooks<Source> {
  const core = openCore(options)
  const { database, inbox, audit, ring, providers, place, onError } = core

  // Where deliveries arrive.
  const addresses = openAddresses(options, core)
  const { secrets, endpoints, subscriptions } = addresses

  // Where events go.
  const destinations = openDestinations(options, core)
  const fanOut = destinations?.fanOut
  const dispatcher = openDispatcher(options, core, destinations?.runner)
  const laneOf =
    options.lane &&
    createLanes(options.lane, { ...options.lanes, onError: (error) => onError(error, 'lanes') })

  // What is kept of requests.
  const redactor = openRedactor(options.redact, providers)
  const unprocessed = openUnprocessed(options, core, redactor)
  const traffic = openTraffic(core)
  const clock = createClockWatch({ providers, secrets, endpoints })
  const faults = createFaults(onError)

  const gateway = openGateway(options, core, addresses, {
    ...{
      dispatcher,
      laneOf,
      redactor,
      clock,
      faults,
      unprocessed: unprocessed?.keeper,
      traffic: traffic?.recorder,
    },
    fanOut: renewOnEvents(fanOut, options.subscriptions, subscriptions, onError),
  })

  // What operators and loops do.
  const unprocessedOperations = toUnprocessedOperations(unprocessed, core, addresses, gateway)
  const { replayUnprocessed: replay } = unprocessedOperations
  const replays = openReplays(options, core, {
    ...{ dispatcher, laneOf, fanOut },
    unprocessed: unprocessed && replay && { store: unprocessed.store, replay },
  })
  const { eraser, eraseEndpoint } = openEraser(inbox, unprocessed?.store, endpoints)
  const reconciler = openReconciler(options.reconcile, core, gateway)
  const processes = openProcesses(options.process ?? {}, core, clock)
  const consumers = database.consumers?.()
  const stopping = new AbortController()
  const operations: WebhookOperations = {
    ...{ inbox, providers, audit, eraser, consumers, subscriptions, reconciliations: reconciler },
    ...replays.operations,
    ...unprocessedOperations,
    traffic: traffic?.store,
    processes: processes?.operations,
    destinations: destinations?.operations,
    managedDestinations: destinations?.managed && {
      destinations: destinations.managed,
      cipher: createResponseCipher(ring),
    },
    endpoints: toEndpointOperations(endpoints, core, gateway),
    declaredEndpoints: endpoints?.declared && (() => endpoints.declared?.() ?? []),
    gatewayUrl: `${place.publicUrl ?? ''}${place.basePath}`,
    idempotency: database.idempotency,
    secrets: deriveSecrets(ring, 'operations API'),
    onWork: database.onWork,
    stopping: stopping.signal,
    notices: () => [clock.describe()].filter((text) => text !== undefined),
  }
  const alerts = openAlerts(options.alerts, core, operations, addresses, clock.source)
  const gauges = createGauges(core, { consumers, processes, subscriptions, reconciler })
  const upkeep = createUpkeep(options.retention ?? {}, core, unprocessed)

  return {
    ...createHosts(gateway, place),
    ...{ gateway, dispatcher, subscriptions, operations, eraseEndpoint },
    // The option decides which endpoints were opened.
    endpoints: endpoints as OpenedEndpoints<Source>,
    ...createLifecycle({
      ...{ dispatcher, inbox, stopping, onWork: database.onWork },
      recording: [faults, traffic?.recorder, unprocessed?.keeper, processes, alerts, gauges],
      dispatching: [replays.jobs, subscriptions, reconciler, upkeep],
    }),
  }
}
