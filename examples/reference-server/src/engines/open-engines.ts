import type { FailureLimiter, Publisher, PublishResult, Queue } from '@sallyport/webhooks'
import type { Settings } from '../config/settings.ts'
import type { Storage } from '../database/storage.ts'
import { logUnreadable, type Logger } from '../logging/log.ts'
import { createLastOutcome, type Judge, type LastOutcome, type Dependency } from '../service/readiness.ts'
import { buses, queues } from './catalog.ts'
import { formatEngineOrigin, type Engine, type EngineContext, type OpenedEngine } from './engine.ts'

/** The bus and the shared queue. */
export interface Engines {
  readonly bus: Publisher
  readonly queue: Queue
  /** Counts failures for all replicas; undefined if no engine supports it, and each process counts its own. */
  readonly limiter: FailureLimiter | undefined
  /** The engines outside of the database. The server is ready without them, because events wait in the inbox. */
  readonly dependencies: readonly Dependency[]
  /** The current notices for the operator. */
  readonly notices: () => readonly string[]
  /** Waits for running operations, then closes. */
  readonly close: () => Promise<void>
}

/** Opens the bus and the shared queue of the settings. By default, both are in the database. */
export async function openEngines(
  settings: Pick<
    Settings,
    'BUS_URL' | 'BUS_EVENT_LIMIT' | 'QUEUE_URL' | 'BUS_TIMEOUT_MS' | 'SHUTDOWN_SECONDS'
  >,
  storage: Pick<Storage, 'bus' | 'queue'>,
  log: Logger,
): Promise<Engines> {
  const { BUS_URL, BUS_EVENT_LIMIT, QUEUE_URL, BUS_TIMEOUT_MS, SHUTDOWN_SECONDS } = settings
  const unavailable = new Map<string, string>()
  const last = { bus: createLastOutcome(publishWindowMs), queue: createLastOutcome(publishWindowMs) }
  const opened: OpenedEngine[] = []
  const dependencies: Dependency[] = []

  async function open<Opened extends OpenedEngine>(
    name: keyof typeof last,
    engines: Readonly<Record<string, Engine<Opened>>>,
    url: string | undefined,
  ): Promise<Opened | undefined> {
    if (url === undefined) return undefined
    const engine = engines[url.slice(0, url.indexOf(':') + 1)]
    if (engine === undefined) throw new TypeError(`The address of the ${name} has an unknown scheme`)
    const one = await engine.open(url, createContext(name, formatEngineOrigin(url)))
    opened.push(one)
    dependencies.push({ name, ping: one.ping, isFailing: last[name].isFailing, isOptional: true })
    return one
  }

  function createContext(name: string, origin: string): EngineContext {
    return {
      timeoutMs: Math.ceil(BUS_TIMEOUT_MS * 0.8),
      limit: BUS_EVENT_LIMIT === undefined ? {} : { eventBytes: BUS_EVENT_LIMIT },
      closeTimeoutMs: SHUTDOWN_SECONDS * 50,
      onUnavailable(error) {
        const text = `The ${name} at ${origin} does not answer: events wait in the inbox until it does`
        unavailable.set(name, text)
        log.error({ err: error }, text)
      },
      onAvailable() {
        log.info(`The ${name} at ${origin} answers${unavailable.delete(name) ? ' again' : ''}`)
      },
      onUnreadable: logUnreadable(log),
    }
  }

  function describeRefusal({ name, isFailing }: Dependency): readonly string[] {
    const isRefusing = isFailing?.() === true && !unavailable.has(name)
    return isRefusing ? [`The ${name} refuses events: they wait in the inbox, and the log says why`] : []
  }

  const bus = await open('bus', buses, BUS_URL)
  const queue = await open('queue', queues, QUEUE_URL)
  return {
    bus: bus ? watchPublisher(bus.publisher, last.bus) : storage.bus,
    queue: queue ? watchQueue(queue.queue, last.queue) : storage.queue,
    limiter: queue?.limiter ?? bus?.limiter,
    dependencies,
    notices: () => [...unavailable.values(), ...dependencies.flatMap(describeRefusal)].sort(),
    async close() {
      await storage.queue.close()
      await Promise.all(opened.map((one) => one.close()))
    },
  }
}

/** Longer than the window of failed records, because the back-off leaves minutes between two attempts. */
const publishWindowMs = 10 * 60_000

/** A batch fails if every event failed and can be retried. */
const judgePublish: Judge<readonly PublishResult[]> = {
  resolved(results) {
    if (results.some(({ ok }) => ok)) return 'ok'
    return results.length > 0 && results.every((one) => !one.ok && one.retryable) ? 'failed' : undefined
  },
  rejected: () => 'failed',
}

const watchPublisher = (publisher: Publisher, last: LastOutcome): Publisher => ({
  publish: (events, signal) => last.track(publisher.publish(events, signal), judgePublish),
})

const watchQueue = (queue: Queue, last: LastOutcome): Queue => ({
  ...queue,
  enqueue: (events, signal) => last.track(queue.enqueue(events, signal), judgePublish),
})
