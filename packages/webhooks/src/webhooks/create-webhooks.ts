import { createGateway } from '../gateway/gateway.ts'
import { createLanes } from '../gateway/lanes.ts'
import type { EndpointSource } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { openAlerts } from './alerts.ts'
import { createClockWatch } from './clock.ts'
import { openDestinations } from './destinations.ts'
import { openDispatcher } from './dispatcher.ts'
import { createResponseCipher, openEndpoints, toEndpointOperations } from './endpoints.ts'
import { openEraser } from './eraser.ts'
import { createFaults } from './faults.ts'
import { hasMethod } from './has-method.ts'
import { createHosts, readPlace } from './hosts.ts'
import { callAll, createGauges } from './instrument.ts'
import { createLifecycle } from './lifecycle.ts'
import type { EndpointsOption, WebhooksOptions } from './options.ts'
import { openProcesses } from './processes.ts'
import { openReconciler } from './reconcile.ts'
import { openRedactor } from './redactor.ts'
import { openReplays } from './replays.ts'
import { printError } from './report.ts'
import { deriveSecrets, openKeys, openSecrets } from './secrets.ts'
import { openSubscriptions, removeWithEndpoints, renewOnEvents } from './subscriptions.ts'
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
  const { database, providers, onError = printError, retention = {}, telemetry, onQuarantined } = options
  if (!hasMethod(database, 'inbox'))
    throw new TypeError('Set database to an open database: await openSqlite({ path: … })')
  const place = readPlace(options)
  const ring = openKeys(options.encryptionKeys)
  const audit = database.audit?.()
  const consumers = database.consumers?.()
  const source = openEndpoints(options.endpoints, { database, ring, audit, onError, providers })
  const secrets = openSecrets(options.secrets, source === undefined ? providers : [], onError)
  const subscriptions = openSubscriptions(options.subscriptions, {
    ...{ database, ring, audit, onError, providers, secrets, endpoints: source, ...place },
  })
  const endpoints = removeWithEndpoints(source, subscriptions)
  const opened = database.inbox({ onError: (error) => onError(error, 'inbox') })
  const inbox = telemetry?.inbox(opened) ?? opened
  const destinations = openDestinations(options, database, inbox, onError)
  const dispatcher = openDispatcher(options, inbox, onError, destinations?.runner)
  const laneOf =
    options.lane &&
    createLanes(options.lane, { ...options.lanes, onError: (error) => onError(error, 'lanes') })
  const traffic = openTraffic(database, telemetry, onError)
  const redactor = openRedactor(options.redact, providers)
  const unprocessed = openUnprocessed(options.unprocessed, {
    ...{ database, ring, onError, telemetry, redactor, searchPaths: options.searchPaths },
  })
  const faults = createFaults(onError)
  const clock = createClockWatch({ providers, secrets, endpoints })
  const observe = callAll(
    telemetry?.observe,
    traffic?.recorder.observe,
    clock.observe,
    // An application that observes the gateway reports faults itself.
    options.gateway?.observe ?? faults.observe,
  )
  const gateway = createGateway({
    ...(telemetry && { tracer: telemetry.tracer }),
    ...options.gateway,
    providers,
    // Without secrets, `endpoints` is set, or every provider has been refused.
    ...(secrets ? { secrets, endpoints } : { endpoints: endpoints as EndpointSource }),
    inbox,
    dispatcher,
    laneOf,
    fanOut: renewOnEvents(destinations?.fanOut, options.subscriptions, subscriptions, onError),
    onUnprocessed: callAll(unprocessed?.keeper?.keep, clock.onUnprocessed),
    keepsBlocked: unprocessed?.keeper !== undefined,
    searchPaths: options.searchPaths,
    redactor,
    ...(observe && { observe }),
  })
  const unprocessedOperations = toUnprocessedOperations(unprocessed, gateway, {
    providers,
    secrets,
    endpoints,
  })
  const { replayUnprocessed: replay } = unprocessedOperations
  const replays = openReplays({
    unprocessed: unprocessed && replay && { store: unprocessed.store, replay },
    ...{
      database,
      inbox,
      providers,
      dispatcher,
      laneOf,
      onError,
      onQuarantined,
      fanOut: destinations?.fanOut,
    },
    queuePilots: options.gateway?.queuePilots,
  })
  const { eraser, eraseEndpoint } = openEraser(inbox, unprocessed?.store, endpoints)
  const reconciler = openReconciler(options.reconcile, { database, inbox, gateway, providers, onError })
  const processes = openProcesses(options.process ?? {}, { database, clock, onError })
  const stopping = new AbortController()
  return {
    ...createHosts(gateway, place),
    gateway,
    dispatcher,
    // The option decides which endpoints were opened.
    endpoints: endpoints as OpenedEndpoints<Source>,
    eraseEndpoint,
    subscriptions,
    operations: {
      inbox,
      providers,
      ...replays.operations,
      eraser,
      traffic: traffic?.store,
      ...unprocessedOperations,
      consumers,
      destinations: destinations?.operations,
      subscriptions,
      reconciliations: reconciler,
      managedDestinations: destinations?.managed && {
        destinations: destinations.managed,
        cipher: createResponseCipher(ring),
      },
      processes: processes?.operations,
      audit,
      endpoints: toEndpointOperations(endpoints, { ring, gateway, providers, ...place }),
      declaredEndpoints: endpoints?.declared && (() => endpoints.declared?.() ?? []),
      gatewayUrl: `${place.publicUrl ?? ''}${place.basePath}`,
      idempotency: database.idempotency,
      secrets: deriveSecrets(ring, 'operations API'),
      onWork: database.onWork,
      stopping: stopping.signal,
      notices: () => [clock.describe()].filter((text) => text !== undefined),
    },
    ...createLifecycle({
      ...{ dispatcher, inbox, stopping, onWork: database.onWork },
      recording: [
        faults,
        traffic?.recorder,
        unprocessed?.keeper,
        processes,
        openAlerts(options.alerts, {
          ...{ database, inbox, traffic: traffic?.store, consumers, endpoints, onError },
          ...{ destinations: destinations?.operations, subscriptions, reconciliations: reconciler },
          providers: providers.map(({ name }) => name),
          ...{ processes: processes?.operations, unprocessed: unprocessed?.store, clock: clock.source },
        }),
        createGauges(telemetry, inbox, consumers, processes, subscriptions, reconciler),
      ],
      dispatching: [
        replays.jobs,
        subscriptions,
        reconciler,
        createUpkeep(retention, database, inbox, onError, unprocessed),
      ],
    }),
  }
}
