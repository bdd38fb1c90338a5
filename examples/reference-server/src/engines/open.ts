import type { FailureLimiter, Publisher, PublishResult, Queue } from '@sallyport/webhooks'
import type { Settings } from '../config/settings.ts'
import type { Storage } from '../database/storage.ts'
import type { Logger } from '../log.ts'
import { logUnreadable } from '../log-unreadable.ts'
import { createLastOutcome, type Judge, type LastOutcome } from '../service/last-outcome.ts'
import type { Dependency } from '../service/readiness.ts'
import { buses } from './buses.ts'
import { placeOf } from './engine-url.ts'
import type { Engine, EngineSurroundings, OpenedEngine } from './engine.ts'
import { queues } from './queues.ts'

/** Where events go. */
export interface Engines {
  readonly bus: Publisher
  readonly queue: Queue
  /** Counts failures for all replicas; none when no engine can, and each process has its own. */
  readonly limiter: FailureLimiter | undefined
  /** Those outside of the database: the server is ready without them, because events wait in the inbox. */
  readonly dependencies: readonly Dependency[]
  /** What an operator should know now. */
  readonly notices: () => readonly string[]
  /** Finishes what is under way. */
  readonly close: () => Promise<void>
}

/** Opens the bus and the shared queue that the settings name; without a name, they are in the database. */
export async function openEngines(
  settings: Pick<Settings, 'BUS_URL' | 'QUEUE_URL' | 'BUS_TIMEOUT_MS' | 'SHUTDOWN_SECONDS'>,
  storage: Pick<Storage, 'bus' | 'queue'>,
  log: Logger,
): Promise<Engines> {
  const { BUS_URL, QUEUE_URL, BUS_TIMEOUT_MS, SHUTDOWN_SECONDS } = settings
  const away = new Map<string, string>()
  const last = { bus: createLastOutcome(publishWindowMs), queue: createLastOutcome(publishWindowMs) }
  const opened: OpenedEngine[] = []
  const dependencies: Dependency[] = []

  async function open<Opened extends OpenedEngine>(
    name: keyof typeof last,
    engines: Readonly<Record<string, Engine<Opened>>>,
    url: string | undefined,
  ): Promise<Opened | undefined> {
    if (url === undefined) return undefined
    const engine = engines[new URL(url).protocol]
    if (engine === undefined) throw new TypeError(`No engine is known for the address of the ${name}`)
    const one = await engine.open(url, surroundingsOf(name, placeOf(url)))
    opened.push(one)
    dependencies.push({ name, ping: one.ping, isFailing: last[name].isFailing, isOptional: true })
    return one
  }

  function surroundingsOf(name: string, place: string): EngineSurroundings {
    return {
      timeoutMs: Math.ceil(BUS_TIMEOUT_MS * 0.8),
      closeTimeoutMs: SHUTDOWN_SECONDS * 50,
      onUnavailable(error) {
        const text = `The ${name} at ${place} does not answer: events wait in the inbox until it does`
        away.set(name, text)
        log.error({ err: error }, text)
      },
      onAvailable() {
        if (away.delete(name)) log.info(`The ${name} at ${place} answers again`)
        else log.info(`The ${name} at ${place} answers`)
      },
      onUnreadable: logUnreadable(log),
    }
  }

  function refusalOf({ name, isFailing }: Dependency): readonly string[] {
    const isRefusing = isFailing?.() === true && !away.has(name)
    return isRefusing ? [`The ${name} refuses events: they wait in the inbox, and the log says why`] : []
  }

  const bus = await open('bus', buses, BUS_URL)
  const queue = await open('queue', queues, QUEUE_URL)
  return {
    bus: bus ? watchPublisher(bus.publisher, last.bus) : storage.bus,
    queue: queue ? watchQueue(queue.queue, last.queue) : storage.queue,
    limiter: queue?.limiter ?? bus?.limiter,
    dependencies,
    notices: () => [...away.values(), ...dependencies.flatMap(refusalOf)].sort(),
    async close() {
      await storage.queue.close()
      await Promise.all(opened.map((one) => one.close()))
    },
  }
}

/** The back-off leaves minutes between two attempts, so a refusal counts for longer than a failed record. */
const publishWindowMs = 10 * 60_000

/** A batch of which nothing was taken, and all may be tried again, says that the engine refuses events. */
const judgePublish: Judge<readonly PublishResult[]> = {
  resolved(results) {
    if (results.some(({ ok }) => ok)) return 'ok'
    return results.length > 0 && results.every((one) => !one.ok && one.retryable) ? 'failed' : undefined
  },
  rejected: () => 'failed',
}

const watchPublisher = (publisher: Publisher, last: LastOutcome): Publisher => ({
  publish: (events, signal) => last.keep(publisher.publish(events, signal), judgePublish),
})

const watchQueue = (queue: Queue, last: LastOutcome): Queue => ({
  ...queue,
  enqueue: (events, signal) => last.keep(queue.enqueue(events, signal), judgePublish),
})
