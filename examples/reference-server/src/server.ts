import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSallyportError } from '@sallyport/errors'
import { createOperationsRoutes } from '@sallyport/operations'
import { createApi, createMemoryRateLimit, type ApiOptions } from '@sallyport/rest'
import { listen } from '@sallyport/rest/node'
import { createTestDeliverySender } from '@sallyport/webhooks/endpoints'
import { createNodeListener } from '@sallyport/webhooks/node'
import { createReplayJobs } from '@sallyport/webhooks/replay-jobs'
import { openAlerts } from './alerts/open-alerts.ts'
import { createApp } from './app.ts'
import type { Config } from './config/config.ts'
import { leaseWebhookSecrets } from './config/webhook-secrets.ts'
import { createCursors } from './config/derived-keys.ts'
import { consoleRoutes } from './console/console-routes.ts'
import { toRetryable } from './database/contention.ts'
import { startRetention } from './database/maintenance.ts'
import { openStorage } from './database/storage.ts'
import { documentRoutes } from './documents/documents.ts'
import {
  combineEndpoints,
  describeUnreadable,
  openEndpoints,
  protectDeclared,
} from './endpoints/open-endpoints.ts'
import { watchEndpointsFile } from './endpoints/watch-endpoints-file.ts'
import { openEngines } from './engines/open-engines.ts'
import { clientAddress, hidesClients } from './http/client-address.ts'
import type { Caller } from './http/context.ts'
import type { Logger } from './logging/log.ts'
import { createSecurityLog } from './logging/security-log.ts'
import { openResources } from './resources/open-resources.ts'
import { checkReadiness } from './service/readiness.ts'
import { serviceRoutes } from './service/routes.ts'
import { keySetRoutes } from './sessions/key-set.ts'
import { noteRoute } from './telemetry/requests.ts'
import { openTelemetry } from './telemetry/telemetry.ts'
import { openTraffic } from './traffic/open-traffic.ts'
import { openUnprocessed } from './traffic/open-unprocessed.ts'
import { openInboundQueue } from './webhooks/inbound-queue.ts'
import { openWebhooks } from './webhooks/open-webhooks.ts'
import { openOperators } from './webhooks/operators.ts'
import { watchQueue } from './webhooks/watch-queue.ts'

export interface RunningServer {
  readonly port: number
  /** The port of `/metrics`; undefined without metrics. */
  readonly metricsPort: number | undefined
  /** Stops accepting requests, finishes running ones, settles events and closes all connections. */
  stop(): Promise<void>
}

/** Starts the server that a configuration describes. */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  const cleanups: Cleanup[] = []
  try {
    return await compose(config, log, cleanups)
  } catch (error) {
    await closeAll(cleanups)
    throw error
  }
}

type Cleanup = () => unknown

const day = 24 * 60 * 60 * 1000

/** Closes what was opened, the last first. */
async function closeAll(cleanups: Cleanup[]): Promise<void> {
  for (let close = cleanups.pop(); close !== undefined; close = cleanups.pop()) await close()
}

async function compose(config: Config, log: Logger, cleanups: Cleanup[]): Promise<RunningServer> {
  const { settings, providers } = config
  const { ROLE: role, SHUTDOWN_SECONDS: stopSeconds, DRAIN_SECONDS: drainSeconds } = settings
  // 60 % of the time is for requests, 30 % for the bus, and the rest for closing.
  const restMs = (stopSeconds - drainSeconds) * 1000

  let isStopping = false
  const streamsEnd = new AbortController()

  // Notices for the operator: logged once, and shown at /ready.
  const notices = new Set(
    config.leftOut.map((name) => `The provider ${name} is not registered: it has no secret`),
  )
  const notice = (text: string) => {
    if (!notices.has(text)) log.warn(text)
    notices.add(text)
  }
  config.notices.forEach(notice)
  for (const { name, why } of config.unasked) notice(`${name} counts as unset: ${why}`)
  if (config.production && role.has('api') && settings.REGISTRATION === undefined)
    notice('Anyone can register: set REGISTRATION to closed, to invite, or to open if this is intended')
  const getAddress = (request: IncomingMessage) => {
    if (settings.TRUST_PROXY === undefined && hidesClients(request)) {
      notice(
        'A proxy on this machine sends X-Forwarded-For, so all clients share one address: set TRUST_PROXY=1',
      )
    }
    return clientAddress(request, settings.TRUST_PROXY)
  }

  const telemetry = await openTelemetry(config, log)
  cleanups.push(telemetry.close)
  const storage = await openStorage(settings, log)
  cleanups.push(storage.close)
  const consumers = storage.stores.consumers()
  telemetry.watchConsumers(consumers)
  for (const text of storage.notices()) log.warn(text)
  const engines = await openEngines(settings, storage, log, config.routes)
  cleanups.push(engines.close)
  const secrets = await leaseWebhookSecrets({
    store: config.secrets,
    providers: providers.map(({ name }) => name).filter((name) => !config.endpointOnly.includes(name)),
    undecided: config.undecided,
    onChange: (text, error) => {
      log.warn({ err: error }, text)
    },
  })
  cleanups.push(() => {
    secrets.stop()
  })

  // Webhooks.
  const inbox = telemetry.inbox(storage.inbox)
  const audit = storage.stores.audit()
  const { endpoints, responseCipher, prune: pruneEndpoints } = openEndpoints({ config, storage, log, audit })
  const { ENDPOINTS_FILE: path } = settings
  const declared =
    path === undefined
      ? undefined
      : await watchEndpointsFile({ path, providers, secrets: config.secrets, log })
  cleanups.push(() => declared?.stop())
  for (const text of declared?.notices() ?? []) log.warn(text)
  const traffic = openTraffic(storage, telemetry, log)
  cleanups.push(traffic.recorder.stop)
  const unprocessed = openUnprocessed({ config, storage, telemetry, log })
  cleanups.push(() => unprocessed.keeper?.stop())
  const allEndpoints = combineEndpoints(declared, endpoints)
  const operators = openOperators(config, log)
  const webhooks = openWebhooks({
    notifier: operators.notifier,
    ...{ config, inbox, engines, secrets, telemetry, log, traffic: traffic.recorder },
    keeper: unprocessed.keeper,
    endpoints: allEndpoints,
    onWork: storage.onWork,
    stopMs: restMs * 0.3,
  })

  const replayJobs = createReplayJobs({
    ...{ store: storage.replayJobs, inbox, replayer: webhooks.replayer },
    onError: (error) => {
      log.warn({ err: error }, 'A replay job is tried again')
    },
  })
  const queueWatch = watchQueue(inbox, log)
  cleanups.push(queueWatch.stop)

  // The REST API.
  const cursors = createCursors(config.jwtSecrets)
  const onError = (error: unknown, { requestId }: { readonly requestId: string }) => {
    // Clients can cause many of these responses.
    if (isSallyportError(error) && error.status === 503)
      log.debug({ code: error.code, requestId }, error.message)
    else log.error({ err: error, requestId }, 'Unexpected error')
  }
  const securityLog = createSecurityLog({ log, logsAccess: settings.ACCESS_LOG })
  const resources = await openResources({
    config,
    storage,
    log,
    securityLog,
    pruneEndpoints,
    prunes: [
      traffic.prune,
      unprocessed.prune,
      () => audit.prune(Date.now() - settings.AUDIT_RETENTION_DAYS * day),
    ],
  })
  resources.notices.forEach(notice)
  const unreadable = await describeUnreadable(endpoints)
  if (unreadable !== undefined) notice(unreadable)
  cleanups.push(() => resources.close())
  const common = {
    ...resources.api,
    cursors,
    bodyLimit: settings.JSON_BODY_LIMIT,
    rateLimits: {
      // One quota for the API, the service and the documents.
      default: createMemoryRateLimit({ name: 'default', quota: settings.RATE_LIMIT, window: 60 }),
      auth: { quota: settings.RATE_LIMIT_AUTH, window: 60, perRoute: true },
      // One quota for logins with and without a cookie.
      logins: createMemoryRateLimit({ name: 'auth', quota: settings.RATE_LIMIT_AUTH, window: 60 }),
    },
    mapError: toRetryable,
    onError,
    onRoute: ({ path }, { mountPath, raw }) => {
      noteRoute(raw as IncomingMessage, mountPath + path)
    },
  } satisfies ApiOptions<Caller, object>
  const dependencies = [...storage.dependencies, ...engines.dependencies]
  const getNotices = () => [
    ...notices,
    ...[storage, secrets, queueWatch].flatMap((source) => source.notices()),
    ...engines.outages().map(({ text }) => text),
    ...(declared?.notices() ?? []),
  ]
  const api = [
    ...resources.api.routes,
    ...createOperationsRoutes(
      {
        operations: {
          ...{ inbox, providers, replayJobs, audit, replayer: webhooks.replayer, traffic: traffic.store },
          endpoints: {
            endpoints: protectDeclared(declared, endpoints),
            cipher: responseCipher,
            gatewayUrl: `${settings.PUBLIC_URL ?? ''}/webhooks`,
            createTestSender: (loadSamples) =>
              createTestDeliverySender({
                ...{ gateway: webhooks.gateway, endpoints: allEndpoints, providers, loadSamples },
                ...(settings.PUBLIC_URL !== undefined && { gatewayUrl: `${settings.PUBLIC_URL}/webhooks` }),
              }),
          },
          consumers,
          idempotency: storage.stores.idempotency,
          unprocessed: unprocessed.store,
          replayUnprocessed: unprocessed.createReplayer(webhooks.gateway),
          diagnoseUnprocessed: unprocessed.createDiagnoser({
            providers,
            secrets: secrets.keeper,
            endpoints: allEndpoints,
          }),
          onWork: storage.onWork,
          stopping: streamsEnd.signal,
        },
      },
      {
        catalogue: async () => (await import('@sallyport/providers/catalogue')).builtInCatalogue,
        getHealth: async () => {
          const readiness = await checkReadiness(dependencies)
          return {
            dependencies: Object.entries(readiness.dependencies).map(([name, status]) => ({ name, status })),
            notices: getNotices(),
          }
        },
        keys: resources.apiKeys,
        getAccess: (_, scope) => ({ roles: ['admin', scope] }),
        // The access admits admins and their keys only.
        getOperator: async (caller) => {
          const { sub: id, key } = caller as Caller
          const user = await resources.users.find({ id })
          return {
            id,
            permissions: ['read', 'replay', 'erase', 'manage'],
            ...(user && { name: user.email }),
            ...(key && { key, scopes: key.scopes }),
          }
        },
      },
    ),
  ]
  const service = [
    ...serviceRoutes(
      role.has('gateway') ? webhooks.gateway.providers : [],
      dependencies,
      getNotices,
      () => isStopping,
      role.has('api'),
    ),
    ...keySetRoutes(resources.keys),
  ]
  const pages = role.has('api') && settings.CONSOLE ? consoleRoutes(log) : undefined
  const app = createApp({
    ...(pages && { console: createApi({ ...common, routes: pages }) }),
    ...(role.has('api') && {
      api: createApi({
        ...common,
        routes: api,
        onResponse: securityLog.logResponse,
        ...(settings.CORS_ORIGINS && { cors: { origins: settings.CORS_ORIGINS } }),
      }),
      documents: createApi({
        ...common,
        routes: documentRoutes({
          api,
          service,
          providers,
          publicUrl: settings.PUBLIC_URL,
          bodyLimit: settings.JSON_BODY_LIMIT,
        }),
      }),
    }),
    service: createApi({ ...common, routes: service }),
    clientAddress: getAddress,
  })

  // The webhook listener runs before Express, which would halve the throughput. All other paths go to `app`.
  const listener = role.has('gateway')
    ? createNodeListener(webhooks.gateway, {
        clientAddress: getAddress,
        requestId: (_, response) => String(response.getHeader('x-request-id')),
        ...(settings.PUBLIC_URL !== undefined && { publicUrl: settings.PUBLIC_URL }),
        otherwise: app,
      })
    : app
  const inboundQueue = await openInboundQueue(webhooks.gateway, settings, log)
  const server = await listen(telemetry.requests(listener), { host: settings.HOST, port: settings.PORT })
  webhooks.start()
  inboundQueue?.start()
  traffic.recorder.start()
  if (role.has('gateway')) unprocessed.keeper?.start()
  if (role.has('dispatcher')) {
    cleanups.push(telemetry.watch(inbox))
    replayJobs.start()
    cleanups.push(() => replayJobs.stop())
    const alerts = openAlerts({
      ...{
        settings,
        stores: storage.stores,
        inbox,
        traffic: traffic.store,
        engines,
        secrets,
        queueWatch,
        log,
      },
      operators: operators.alerts,
    })
    alerts?.start()
    cleanups.push(() => alerts?.stop())
    const retention = startRetention(inbox, settings, log)
    cleanups.push(() => retention.stop())
  }

  return {
    port: server.port,
    metricsPort: telemetry.metricsPort,
    async stop() {
      isStopping = true
      // The clients connect to another process.
      streamsEnd.abort()
      await Promise.all([
        server.stop({
          ...(drainSeconds > 0 && { drained: sleep(drainSeconds * 1000) }),
          graceMs: restMs * 0.6,
        }),
        inboundQueue?.stop(restMs * 0.6),
      ])
      await webhooks.stop()
      await closeAll(cleanups)
    },
  }
}
