import { formatUrlOrigin, openBus, openQueue, type BusOptions, type OpenedBus } from '@sallyport/buses'
import { route, type FailureLimiter, type Publisher, type PublishResult } from '@sallyport/webhooks'
import type { Settings } from '../config/settings.ts'
import type { Storage } from '../database/storage.ts'
import type { Logger } from '../logging/log.ts'
import type { Dependency } from '@sallyport/rest/health'
import { createLastOutcome, toCode, type Judge, type LastOutcome } from '@sallyport/internal/last-outcome'
import type { BusRoute } from './routes-file.ts'

/** The bus and the shared queue. */
export interface Engines {
  readonly bus: Publisher
  readonly queue: Storage['queue']
  /** Counts failures for all replicas; undefined if no engine supports it, and each process counts its own. */
  readonly limiter: FailureLimiter | undefined
  /** The engines outside of the database. The server is ready without them, because events wait in the inbox. */
  readonly dependencies: readonly Dependency[]
  /** The engines that are unavailable or refuse events, each as a text for the operator. */
  readonly notices: () => readonly string[]
  /** Waits for running operations, then closes. */
  readonly close: () => Promise<void>
}

/**
 * Opens the bus and the shared queue of the settings. By default, both are in the database.
 *
 * @param routes the routes of events to several buses. @default all events go to the bus
 */
export async function openEngines(
  settings: Pick<
    Settings,
    'BUS_URL' | 'BUS_EVENT_LIMIT' | 'QUEUE_URL' | 'BUS_TIMEOUT_MS' | 'SHUTDOWN_SECONDS'
  >,
  storage: Pick<Storage, 'bus' | 'queue'>,
  log: Logger,
  routes: readonly BusRoute[] = [],
): Promise<Engines> {
  const { BUS_URL, BUS_EVENT_LIMIT, QUEUE_URL, BUS_TIMEOUT_MS, SHUTDOWN_SECONDS } = settings
  const unavailable = new Map<string, string>()
  const opened: Pick<OpenedBus, 'close'>[] = []
  const dependencies: Dependency[] = []

  async function open<Opened extends Pick<OpenedBus, 'ping' | 'close'>>(
    name: string,
    url: string | undefined,
    openUrl: (url: string, options: BusOptions) => Promise<Opened>,
  ): Promise<(Opened & { readonly last: LastOutcome }) | undefined> {
    if (url === undefined) return undefined
    const one = await openUrl(url, createOptions(name, formatUrlOrigin(url)))
    opened.push(one)
    const last = createLastOutcome(publishWindowMs)
    dependencies.push({
      ...{ name, ping: one.ping, getFailure: last.getFailure, isOptional: true },
      getDetail: () =>
        unavailable.get(name) ??
        (last.getFailure() === undefined
          ? undefined
          : `The ${name} refuses events: they wait in the inbox, and the log says why`),
    })
    return { ...one, last }
  }

  function createOptions(name: string, origin: string): BusOptions {
    return {
      timeoutMs: Math.ceil(BUS_TIMEOUT_MS * 0.8),
      ...(BUS_EVENT_LIMIT !== undefined && { eventBytes: BUS_EVENT_LIMIT }),
      closeTimeoutMs: SHUTDOWN_SECONDS * 50,
      onUnavailable(error) {
        const text = `The ${name} at ${origin} does not answer: events wait in the inbox until it does`
        unavailable.set(name, text)
        log.error({ err: error }, text)
      },
      onAvailable() {
        log.info(`The ${name} at ${origin} answers${unavailable.delete(name) ? ' again' : ''}`)
      },
    }
  }

  const limiters: FailureLimiter[] = []
  async function openTarget(name: string, url: string | undefined): Promise<Publisher> {
    const bus = await open(name, url, openBus)
    if (bus?.limiter) limiters.push(bus.limiter)
    return bus ? watchPublisher(bus.publisher, bus.last) : storage.bus
  }

  async function openRoutes(): Promise<Publisher> {
    const publishers = new Map<string, Publisher>()
    for (const { to, url } of routes)
      if (!publishers.has(to)) publishers.set(to, await openTarget(nameBus(to), url))
    return route(
      routes.map(({ to, events, endpoints, redact }) => ({
        ...{ name: nameBus(to), publisher: publishers.get(to) as Publisher },
        ...(events && { events }),
        ...(endpoints && { endpoints }),
        ...(redact && { redact }),
      })),
      // Longer than the timeout of an engine, and shorter than that of a drainer.
      { timeoutMs: Math.ceil(BUS_TIMEOUT_MS * 0.85) },
    )
  }

  const bus = routes.length > 0 ? await openRoutes() : await openTarget('bus', BUS_URL)
  const queue = await open('queue', QUEUE_URL, openQueue)
  return {
    bus,
    queue: queue
      ? { ...watchPublisher(queue.publisher, queue.last), consumer: queue.consumer }
      : storage.queue,
    limiter: queue?.limiter ?? limiters[0],
    dependencies,
    notices: () => dependencies.flatMap(({ getDetail }) => getDetail?.() ?? []),
    close: async () => {
      await Promise.all(opened.map((one) => one.close()))
    },
  }
}

/** Converts `BUS_URL_AUDIT` to `bus_audit`, the name for errors and for `/ready`. */
const nameBus = (to: string): string => to.replace('_URL', '').toLowerCase()

/** Longer than the window of failed records, because the back-off leaves minutes between two attempts. */
const publishWindowMs = 10 * 60_000

/** A batch fails if every event failed and can be retried. */
const judgePublish: Judge<readonly PublishResult[]> = {
  resolved(results) {
    if (results.some(({ ok }) => ok)) return 'ok'
    const [first] = results
    return first?.ok === false && results.every((one) => !one.ok && one.retryable)
      ? { failure: first.error.slice(0, 100) }
      : undefined
  },
  rejected: (error) => ({ failure: toCode(error) }),
}

const watchPublisher = (publisher: Publisher, last: LastOutcome): Publisher => ({
  publish: (events, signal) => last.track(publisher.publish(events, signal), judgePublish),
})
