import type { IncomingMessage } from 'node:http'
import { CodedError } from '@sallyport/errors'
import { createDispatcher } from '../dispatch/dispatcher.ts'
import { createFetchHandler } from '../fetch/handler.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { RecordingGateway } from '../gateway/gateway-contract.ts'
import { normalizeBasePath, normalizePublicUrl } from '../gateway/path.ts'
import { createNodeListener } from '../node/listener.ts'
import type { EndpointSource } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createTrafficRecorder } from '../traffic/recorder.ts'
import { openAlerts } from './alerts.ts'
import { openEndpoints, toEndpointOperations } from './endpoints.ts'
import { callAll, createGauges, instrumentNotifications } from './instrument.ts'
import type { EndpointsOption, WebhooksOptions } from './options.ts'
import { openReplays } from './replays.ts'
import { choosePublisher, printError } from './report.ts'
import { deriveSecrets, openKeys, openSecrets } from './secrets.ts'
import { openUnprocessed, toUnprocessedOperations } from './unprocessed.ts'
import { createUpkeep } from './upkeep.ts'
import type { OpenedEndpoints, Webhooks } from './webhooks.ts'

/**
 * Creates the webhooks of an application: the gateway, the dispatcher, and the features whose stores the database has, which
 * are endpoints, statistics, unprocessed deliveries, replay jobs, alerts, the audit and retention.
 *
 * A delivery is verified, recorded and answered. Then each of its events goes to its handler, at least once and always with
 * the same id, also after a crash.
 *
 * @throws TypeError for a provider without a secret, without a handler or publisher, for a feature without the store or the
 * keys that it needs, and as `createGateway`, `createDispatcher` and `createRetention`
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { github } from '@sallyport/providers/github'
 * import { openSqlite } from '@sallyport/sql/sqlite'
 * import { createWebhooks } from '@sallyport/webhooks'
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
  const ring = openKeys(options.encryptionKeys)
  const audit = database.audit?.()
  const endpoints = openEndpoints(options.endpoints, { database, ring, audit, onError })
  const secrets = openSecrets(options.secrets, endpoints === undefined ? providers : [], onError)
  const opened = database.inbox({ onError: (error) => onError(error, 'inbox') })
  const inbox = telemetry?.inbox(opened) ?? opened
  const publisher = choosePublisher(options)
  const onAttempt = callAll(telemetry?.onAttempt, options.onAttempt)
  const notifications = instrumentNotifications(options.dispatcher?.notifications, telemetry)
  const dispatcher = createDispatcher({
    ...options.dispatcher,
    inbox,
    publisher: telemetry?.publisher(publisher) ?? publisher,
    ...(notifications && { notifications }),
    ...(onAttempt && { onAttempt }),
    onError: (error) => onError(error, 'inbox'),
  })

  const counts = database.traffic?.()
  const traffic =
    counts &&
    createTrafficRecorder({
      store: counts,
      onError: (error) => onError(error, 'traffic'),
      ...(telemetry && { onDropped: telemetry.onCountsDropped }),
    })
  const unprocessed = openUnprocessed(options.unprocessed, { database, ring, onError, telemetry })
  const observe = callAll(telemetry?.observe, traffic?.observe, options.gateway?.observe)
  const gateway = createGateway({
    ...(telemetry && { tracer: telemetry.tracer }),
    ...options.gateway,
    providers,
    // Without secrets, `endpoints` is set, or every provider has been refused.
    ...(secrets ? { secrets, endpoints } : { endpoints: endpoints as EndpointSource }),
    inbox,
    dispatcher,
    onUnprocessed: unprocessed?.keeper?.keep,
    ...(observe && { observe }),
  })
  const replays = openReplays({
    ...{ database, inbox, providers, dispatcher, onError, onQuarantined },
    queuePilots: options.gateway?.queuePilots,
  })
  const recording = [traffic, unprocessed?.keeper]
  const dispatching = [
    dispatcher,
    replays.jobs,
    openAlerts(options.alerts, database, inbox, counts, onError),
    createUpkeep(retention, database, inbox, onError, unprocessed),
    createGauges(telemetry, inbox),
  ]

  let isStarted = false
  let unsubscribe: (() => void) | undefined
  const stopping = new AbortController()
  const { basePath, publicUrl, ...hosts } = createHosts(gateway, options)
  const operated = { ring, gateway, providers, basePath, publicUrl }
  return {
    ...hosts,
    gateway,
    dispatcher,
    // The option decides which endpoints were opened.
    endpoints: endpoints as OpenedEndpoints<Source>,
    operations: {
      inbox,
      providers,
      ...replays.operations,
      traffic: counts,
      ...toUnprocessedOperations(unprocessed, gateway, { providers, secrets, endpoints }),
      audit,
      endpoints: toEndpointOperations(endpoints, operated),
      idempotency: database.idempotency,
      secrets: deriveSecrets(ring, 'operations API'),
      onWork: database.onWork,
      stopping: stopping.signal,
    },
    start({ dispatch = true } = {}) {
      if (isStarted) return
      isStarted = true
      for (const part of dispatch ? [...recording, ...dispatching] : recording) part?.start()
      if (dispatch)
        unsubscribe = database.onWork?.((work) => {
          dispatcher.wake(work)
        })
    },
    async stop(graceMs) {
      isStarted = false
      stopping.abort()
      unsubscribe?.()
      await Promise.all([...recording, ...dispatching].map(async (part) => part?.stop(graceMs)))
    },
    async ready() {
      if (!isStarted) throw new CodedError(503, 'NOT_STARTED', 'Call start() before deliveries arrive')
      await inbox.known(['ready'])
    },
  }
}

function createHosts(
  gateway: RecordingGateway,
  options: Pick<WebhooksOptions<readonly AnyProvider[]>, 'basePath' | 'publicUrl'>,
) {
  const basePath = normalizeBasePath(options.basePath)
  const publicUrl = normalizePublicUrl(options.publicUrl)
  const host = { basePath, ...(publicUrl !== undefined && { publicUrl }) }
  return {
    basePath,
    publicUrl,
    node: createNodeListener(gateway, host),
    express: createNodeListener(gateway, {
      ...host,
      clientAddress: ({ ip }: IncomingMessage & { readonly ip?: string }) => ip,
    }),
    fetch: createFetchHandler<[]>(gateway, host),
  }
}
