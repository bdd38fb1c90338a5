import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '@sallyport/rest/node'
import { createListener } from './app.ts'
import type { Config } from './config/config.ts'
import { openSecrets } from './webhooks/open-secrets.ts'
import { openStorage } from './database/storage.ts'
import { describeUnreadable, openEndpoints } from './endpoints/open-endpoints.ts'
import { openEngines } from './engines/open-engines.ts'
import { createClientAddress } from './http/client-address.ts'
import { createServerApis } from './http/server-apis.ts'
import type { Logger } from './logging/log.ts'
import { createNotices } from './notices.ts'
import { openResources } from './resources/open-resources.ts'
import { inspectDependencies } from './service/inspect-dependencies.ts'
import { openTelemetry } from './telemetry/telemetry.ts'
import { openServerDestinations } from './webhooks/open-destinations.ts'
import { openInboundQueue } from './webhooks/inbound-queue.ts'
import { openWebhooks } from './webhooks/open-webhooks.ts'
import { watchQueue } from './webhooks/watch-queue.ts'

export interface RunningServer {
  readonly port: number
  /** The port of `/metrics`; undefined without metrics. */
  readonly metricsPort: number | undefined
  /** Stops accepting requests, finishes running ones, settles events and closes all connections. */
  stop(): Promise<void>
}

/** A part that has to be closed. */
interface Part {
  readonly close: () => unknown
}

/** Starts the server that a configuration describes. */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  const parts: Part[] = []
  try {
    return await compose(config, log, parts)
  } catch (error) {
    await closeAll(parts)
    throw error
  }
}

/** Closes what was opened, the last first. */
async function closeAll(parts: Part[]): Promise<void> {
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) await part.close()
}

/** Configuration → database → webhooks → REST API and operations → listen. */
async function compose(config: Config, log: Logger, parts: Part[]): Promise<RunningServer> {
  const { settings } = config
  const { SHUTDOWN_SECONDS: stopSeconds, DRAIN_SECONDS: drainSeconds } = settings
  // 60 % of the time is for requests, 30 % for the bus, and the rest for closing.
  const restMs = (stopSeconds - drainSeconds) * 1000
  const stopping = new AbortController()
  const notices = createNotices(config, log)
  function keep<Opened extends Part>(part: Opened): Opened {
    parts.push(part)
    return part
  }

  const telemetry = keep(await openTelemetry(config, log))
  const storage = keep(await openStorage(settings, log, config.encryptionKeys))
  const engines = keep(await openEngines(settings, storage, log, config.routes))
  const destinations = keep(await openServerDestinations(config, storage, log))
  const secrets = keep(await openSecrets(config, log))
  const endpoints = keep(await openEndpoints({ config, storage, log }))
  const queueWatch = keep(watchQueue(storage.inbox, log))
  for (const text of [...storage.notices(), ...endpoints.notices()]) log.warn(text)
  notices.watch(storage, secrets, queueWatch, engines, endpoints, destinations)

  const resources = await openResources({ config, storage, log })
  const unreadable = await describeUnreadable(endpoints.endpoints)
  for (const text of [...resources.notices, ...unreadable]) notices.add(text)

  const dependencies = [...storage.dependencies, ...engines.dependencies]
  const webhooks = openWebhooks({
    ...{ config, storage, engines, secrets, queueWatch, telemetry, log },
    endpoints: endpoints.endpoints,
    destinations: destinations.destinations,
    prunes: [resources.accounts.prune, () => storage.pruneBus(settings.RETENTION_DAYS, stopping.signal)],
    stopMs: restMs * 0.3,
    getHealth: async () => ({
      dependencies: [
        ...(await inspectDependencies(dependencies)),
        ...secrets
          .notices()
          .map((detail) => ({ name: 'secrets', kind: 'secrets', status: 'unavailable', detail }) as const),
      ],
      notices: notices.list(),
    }),
  })
  notices.watch({ notices: () => webhooks.operations.notices?.() ?? [] })
  const clientAddress = createClientAddress(settings.TRUST_PROXY, () => {
    notices.add(
      'A proxy on this machine sends X-Forwarded-For, so all clients share one address: set TRUST_PROXY=1',
    )
  })
  const apis = createServerApis({
    ...{ config, resources, log, webhooks, dependencies },
    notices: notices.list,
    onRoute: telemetry.requests.onRoute,
    stopping: stopping.signal,
  })
  const listener = createListener({
    ...(settings.ROLE.has('gateway') && { gateway: webhooks.gateway }),
    ...{ ...apis, clientAddress, publicUrl: settings.PUBLIC_URL },
  })
  const inboundQueue = await openInboundQueue(webhooks.gateway, settings, log)
  const server = await listen(telemetry.requests.observe(listener), {
    host: settings.HOST,
    port: settings.PORT,
  })
  webhooks.start()
  inboundQueue?.start()

  return {
    port: server.port,
    metricsPort: telemetry.metricsPort,
    async stop() {
      // Ends streams, whose clients connect to another process, and `/ready` answers with 503.
      stopping.abort()
      const drained = drainSeconds > 0 && { drained: sleep(drainSeconds * 1000) }
      await Promise.all([
        server.stop({ ...drained, graceMs: restMs * 0.6 }),
        inboundQueue?.stop(restMs * 0.6),
      ])
      await webhooks.stop()
      await closeAll(parts)
    },
  }
}
