import { checkFunctions, integerOption } from '@sallyport/internal/options'
import type { Work } from '../ports/inbox-work.ts'
import type { DeliveryRecord, DispatcherInbox, Publisher, RecordResult } from '../ports/ports.ts'
import { publishWithReferences, type DataReferenceOptions } from './data-reference.ts'
import { notifyEach, type Notifications } from './notify.ts'
import type { AttemptBatch } from './attempt.ts'
import { passNotifications } from './pass-notifications.ts'
import { mapAnswers, queued } from './outcome.ts'
import { toQueued } from './queued-event.ts'
import { createWorkLoop, type Attempt, type WorkLoopOptions } from './work-loop.ts'

/** The destinations of events. */
interface Destinations extends DataReferenceOptions {
  /** The bus. */
  readonly publisher: Publisher
  /**
   * The shared queue, for events with the route `queue`: another bus, whose events a drainer publishes. Without a queue, these
   * events are published directly.
   */
  readonly queue?: Publisher
  /**
   * How long a queued event waits for the drainer, in milliseconds. After that, the event is enqueued again, which has no effect
   * on a queue that deduplicates.
   *
   * @default 600,000 (10 minutes)
   */
  readonly redeliverAfterMs?: number
}

export interface DispatcherOptions extends WorkLoopOptions, Destinations {
  readonly inbox: DispatcherInbox
  /** The notifier of published events, and the providers with their notify functions. */
  readonly notifications?: Notifications
  /**
   * The maximum number of events in memory; further recorded events wait for the next claim. Events for the shared queue may
   * use half of it, so that a queue that hangs leaves room for the others.
   *
   * @default 10,000
   */
  readonly memoryEvents?: number
  /** The maximum size of the events in memory, in bytes. @default 64 MiB */
  readonly memoryBytes?: number
  /** Called for each settled attempt. */
  readonly onAttempt?: (attempt: Attempt) => unknown
  /** Called with errors of the inbox; the dispatcher continues. */
  readonly onError?: (error: unknown) => unknown
}

/** Publishes the events of an inbox and runs their notifications. */
export interface Dispatcher {
  /** Whether the dispatcher runs notifications. */
  readonly notifies: boolean
  /** Reserves memory for the events of a delivery before its record; undefined when stopped or full. */
  reserve(record: DeliveryRecord): Reservation | undefined
  /**
   * Claims work now instead of at the next poll; no effect while stopped.
   *
   * @param work the kind of work; both kinds by default
   */
  wake(work?: Work): void
  start(): void
  /**
   * Waits for running attempts and releases all other work, so that another process can claim it at once. An attempt that
   * is still running after the grace period is claimed again when its lease ends.
   *
   * @param graceMs in milliseconds, by default the timeout of an attempt; a negative value is 0
   * @throws TypeError when the grace period is not a number
   */
  stop(graceMs?: number): Promise<void>
}

/** Reserved memory for the events of one delivery. */
export interface Reservation {
  /** The lease for the record of the events, in milliseconds. @default the events are recorded without a lease */
  readonly leaseMs?: number
  /** Begins with the new events after their record. */
  fill(result: RecordResult): void
  /** Ends the reservation after a failed record. */
  giveUp(): void
}

/**
 * Creates the dispatcher of an inbox. The dispatcher publishes events in batches, with back-off, up to a dead letter. A
 * published event starts its notification, which has separate retries.
 *
 * Events that this process recorded are published from memory; other events are claimed after the end of their leases.
 *
 * @throws TypeError without an inbox and a publisher, for a number that is out of range, when `timeoutMs` is not less than
 * `leaseMs`, and when two providers share a name
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { inbox, notifications, queue, leaseMs = 15_000, timeoutMs = 5000 } = options
  const { now = Date.now } = options
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
    settleBatch: notifying && passNotifications({ inbox, notifying, leaseMs, now }),
  })

  return {
    notifies: notifications !== undefined,
    reserve({ events, body, receivedAt }) {
      const { load } = publishing
      // The data of the events is about as large as the body.
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
          void publishing.add(works, leaseAge)
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

/**
 * Creates the attempt that publishes or enqueues a batch. With a queue, all events of a batch have one route.
 *
 * @throws TypeError for an invalid `redeliverAfterMs`
 */
function publishBatch(destinations: Destinations): AttemptBatch {
  const { publisher, queue, dataref, redeliverAfterMs = 600_000 } = destinations
  integerOption('redeliverAfterMs', redeliverAfterMs, 1)
  const publish = publishWithReferences((events, signal) => publisher.publish(events, signal), dataref)
  return async (works, signal) => {
    const events = works.map(({ event }) => event)
    if (queue === undefined || works[0]?.route !== 'queue') return publish(events, signal)
    const firstDueAt = new Map(works.map(({ event, since }) => [event.id, since]))
    const enqueue = publishWithReferences(
      (some, stop) =>
        queue.publish(
          some.map((event) => toQueued(event, firstDueAt.get(event.id) ?? 0)),
          stop,
        ),
      dataref,
    )
    return mapAnswers(await enqueue(events, signal), (result) =>
      result.ok ? { ...result, [queued]: { redeliverAfterMs } } : result,
    )
  }
}
