import { checkFunctions, integerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { Work } from '../ports/inbox-work.ts'
import type { DeliveryRecord, DispatcherInbox, RecordResult } from '../ports/ports.ts'
import { notifyEach, type Notifications } from './notify-each.ts'
import { publishBatch, type Destinations } from './publish-batch.ts'
import { createWorkLoop, type Attempt, type WorkLoopOptions } from './work-loop.ts'

export interface DispatcherOptions extends WorkLoopOptions, Destinations {
  readonly inbox: DispatcherInbox
  /** Who is told of published events; needs `providers`, whose notify functions write the messages. */
  readonly notifications?: Notifications
  /**
   * Events that may wait in memory; past it, what is recorded is left to the next claim, and past half of it what goes to
   * the shared queue: one that hangs leaves room for the rest.
   *
   * @default 10,000
   */
  readonly memoryEvents?: number
  /** The same in bytes. @default 64 MiB */
  readonly memoryBytes?: number
  /** Told of every attempt once it is settled. */
  readonly onAttempt?: (attempt: Attempt) => unknown
  /** Told when the inbox cannot be asked; the dispatcher goes on. */
  readonly onError?: (error: unknown) => unknown
}

/** Publishes what an inbox holds, and then tells the operators. */
export interface Dispatcher {
  /** Whether it runs notifications. */
  readonly notifies: boolean
  /** Room for the events of a delivery that is about to be recorded; undefined when it does not run or holds enough. */
  reserve(record: DeliveryRecord): Place | undefined
  /**
   * Asks the inbox now instead of at the next poll, when it was given work by another way; nothing while stopped.
   *
   * @param work what there is to do; by default either
   */
  wake(work?: Work): void
  start(): void
  /**
   * Begins nothing more, waits for what is under way, and releases the rest, so that another process can claim it at
   * once. What is still under way when the grace is over is claimed again once its lease has ended.
   *
   * @param graceMs in milliseconds, by default as long as an attempt may take; there is none left below 0
   * @throws TypeError when the grace is no number
   */
  stop(graceMs?: number): Promise<void>
}

/** Room in memory for the events of one delivery. */
export interface Place {
  /** How long the events are to be recorded as leased. */
  readonly leaseMs: number
  /** The events are recorded: those that are new are published from memory. */
  fill(result: RecordResult): void
  /** They are not. */
  giveUp(): void
}

/**
 * The dispatcher of an inbox: publishes its events in batches, with back-off and an end as a dead letter, then runs the
 * notifications of those that were published, which fail and are retried by themselves.
 *
 * What this process recorded is published from memory; what others left behind is claimed when its lease has ended.
 *
 * @throws TypeError without an inbox and a publisher, for a number that is out of range, when an attempt may take as long as
 * a lease lasts, or two providers share a name
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { inbox, notifications, queue, leaseMs = 15_000, timeoutMs = 5000 } = options
  checkFunctions('inbox', inbox, 'claim', 'settle')
  checkFunctions('publisher', options.publisher, 'publish')
  const memoryEvents = integerOption('memoryEvents', options.memoryEvents ?? 10_000, 0)
  const memoryBytes = integerOption('memoryBytes', options.memoryBytes ?? 64 * 1024 * 1024, 0)
  const reserved = { events: 0, bytes: 0 }

  const notifying =
    notifications && createWorkLoop('notify', inbox, notifyEach(notifications, (timeoutMs * 4) / 5), options)
  const publishing = createWorkLoop('publish', inbox, publishBatch(options), {
    ...options,
    laneForQueue: queue !== undefined,
    makeDue: inbox.makeDue?.bind(inbox),
    onAttempt(attempt) {
      if (attempt.outcome.status === 'done') notifying?.wake()
      callHook(options.onAttempt, attempt)
    },
  })

  return {
    notifies: notifications !== undefined,
    reserve({ events, body, receivedAt }) {
      const { load } = publishing
      // What a normalizer keeps of a delivery is at most about what came in.
      const bytes = body.byteLength
      const share = queue !== undefined && events.some(({ route }) => route === 'queue') ? 1 / 2 : 1
      const full =
        load.events + reserved.events + events.length > memoryEvents * share ||
        load.bytes + reserved.bytes + bytes > memoryBytes * share
      if (!publishing.running || full || events.length === 0) return undefined
      reserved.events += events.length
      reserved.bytes += bytes
      const leaseAge = publishing.startLease()
      const leave = () => {
        reserved.events -= events.length
        reserved.bytes -= bytes
      }
      return {
        leaseMs,
        giveUp: leave,
        fill(result) {
          leave()
          const works = events.flatMap(({ event, route }, index) => {
            const lease = result.events[index]?.lease
            if (lease === undefined) return []
            return [{ event, route, attempts: 0, since: receivedAt, lease, bytes: bytes / events.length }]
          })
          publishing.add(works, leaseAge)
        },
      }
    },
    wake(work) {
      if (work !== 'notify') publishing.wake()
      if (work !== 'publish') notifying?.wake()
    },
    start() {
      publishing.start()
      notifying?.start()
    },
    async stop(graceMs) {
      await Promise.all([publishing.stop(graceMs), notifying?.stop(graceMs)])
    },
  }
}
