import { checkFunctions, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { AttemptBatch } from './attempt.ts'
import { leaseAges, type LeaseAge } from './lease-age.ts'
import { mapAnswers } from './outcome.ts'
import type {
  ForwardFailure,
  DrainerInbox,
  MaybePromise,
  Publisher,
  Queue,
  ReceivedEvent,
  Settlement,
} from '../ports/ports.ts'
import { createWorkLoop, type WorkLoopHooks, type WorkLoopOptions, type WorkSource } from './work-loop.ts'

export interface DrainerOptions extends Omit<WorkLoopOptions, 'leaseMs'>, WorkLoopHooks {
  /** Where the events are; how long a lease lasts is the queue's. */
  readonly queue: Queue
  /** The bus. */
  readonly publisher: Publisher
  /**
   * What has recorded the events, to be told of their end and of failed attempts. Leave it out only for a queue that no
   * dispatcher fills: an inbox that is told nothing enqueues each event again after every `redeliverAfterMs`, without end.
   * Without one, an event that cannot be published stays in the queue and is tried again however old it is: there is no
   * dead letter to make of it.
   */
  readonly inbox?: DrainerInbox
}

/** Brings what is in the shared queue to the bus. */
export interface Drainer {
  start(): void
  /**
   * Receives nothing more, waits for what is under way, and gives back the rest, so that another process can receive it
   * at once. What is still under way when the grace is over is received again once its lease has ended.
   *
   * @param graceMs in milliseconds, by default as long as an attempt may take; there is none left below 0
   * @throws TypeError when the grace is no number
   */
  stop(graceMs?: number): Promise<void>
}

/**
 * The drainer of a shared queue: receives events in batches, publishes them under the same name and id, tells the inbox
 * that they were forwarded, and only then acknowledges them. Whoever ends in between leaves them to the next, who
 * publishes them again under the same id: a bus that deduplicates has them once.
 *
 * A failure is retried out of the queue with the back-off of the dispatcher, and the inbox keeps why. When it is final, or a
 * day after the event was enqueued, the inbox makes a dead letter of it, which can be replayed.
 *
 * @throws TypeError without a publisher, for an incomplete inbox, for a number that is out of range, and when an attempt may take as long as a lease lasts
 *
 * @example
 * ```ts
 * import { createDrainer, memoryBus, memoryInbox, memoryQueue } from '@sallyport/webhooks'
 *
 * const drainer = createDrainer({ queue: memoryQueue(), publisher: memoryBus(), inbox: memoryInbox() })
 * drainer.start()
 * await drainer.stop()
 * ```
 */
export function createDrainer(options: DrainerOptions): Drainer {
  const { queue, publisher, inbox, timeoutMs = 5000, pollMs = 1000, now = Date.now, onError } = options
  checkFunctions('publisher', publisher, 'publish')
  if (inbox !== undefined) checkFunctions('inbox', inbox, 'forwarded', 'abandoned', 'postponed')
  const leaseMs = timerOption('queue.leaseMs', queue.leaseMs)
  const startLease = leaseAges(now, options.monotonicNow)
  // What is received may have been waited for, and its lease is counted from the beginning of the wait.
  const waitMs = Math.min(pollMs, Math.max(0, leaseMs - timeoutMs) / 2)
  const held = new Map<string, { readonly received: ReceivedEvent; readonly leaseAge: LeaseAge }>()
  let stopping = new AbortController()
  let leases = 0

  const source: WorkSource = {
    async claim(_, { limit, maxBytes }) {
      const waited = startLease()
      const { signal } = stopping
      const room = { limit, ...(maxBytes !== undefined && { maxBytes }) }
      const events = await queue.receive({ ...room, waitMs, signal })
      // Asked again at once, unless the queue does not wait: then with pauses.
      if (events.length > 0 || waited() >= waitMs / 2) loop.wake()
      const leaseAge = startLease()
      forgetExpired()
      return events.map((received) => {
        const { event, attempts, since, bytes = 0 } = received
        const lease = String(leases++)
        held.set(lease, { received, leaseAge })
        return { event, route: 'queue', attempts, since, lease, bytes }
      })
    },

    async settle(_, settlements) {
      const endings = settlements.map(({ outcome, lease }) => ({ outcome, event: held.get(lease)?.received }))
      for (const { lease } of settlements) held.delete(lease)
      // The inbox knows before the queue forgets: a crash in between publishes again, and loses nothing.
      await tellInbox(settlements)
      return Promise.all(
        endings.map(async ({ outcome, event }) => {
          try {
            return event !== undefined && (await end(event, outcome))
          } catch (error) {
            callHook(onError, error)
            return false
          }
        }),
      )
    },
  }

  /** What the loop left alone because its lease would have ended under it; oldest first. */
  function forgetExpired(): void {
    for (const [lease, { leaseAge }] of held) {
      if (leaseAge() < leaseMs) return
      held.delete(lease)
    }
  }

  async function tellInbox(settlements: readonly Settlement[]): Promise<void> {
    const forwarded: string[] = []
    const duplicates: string[] = []
    const abandoned: ForwardFailure[] = []
    const postponed: ForwardFailure[] = []
    for (const { id, outcome } of settlements) {
      if (outcome.status === 'done') {
        forwarded.push(id)
        if (outcome.duplicate === true) duplicates.push(id)
      } else if (outcome.status === 'dead') abandoned.push({ id, error: outcome.error })
      else if (outcome.status === 'retry') postponed.push({ id, error: outcome.error })
    }
    if (forwarded.length > 0) await inbox?.forwarded(forwarded, { duplicates })
    if (abandoned.length > 0) await inbox?.abandoned(abandoned)
    // For those who look: the queue tries again whether or not it is written down.
    if (postponed.length === 0) return
    await inbox?.postponed(postponed).catch((error: unknown) => {
      callHook(onError, error)
    })
  }

  function end(event: ReceivedEvent, outcome: Settlement['outcome']): MaybePromise<boolean> {
    switch (outcome.status) {
      case 'done':
      case 'dead':
        return event.ack()
      case 'retry':
        return event.retry(outcome.afterMs)
      case 'released':
      case 'queued':
        return event.retry(0)
    }
  }

  const publish: AttemptBatch = async (works, signal) => {
    const results = await publisher.publish(
      works.map(({ event }) => event),
      signal,
    )
    return inbox
      ? results
      : mapAnswers(results, (result) => (result.ok ? result : { ...result, retryable: true }))
  }

  const loop = createWorkLoop('publish', source, publish, {
    ...options,
    // Nobody could make a dead letter of it.
    ...(!inbox && { backoff: { ...options.backoff, giveUpAfterMs: Infinity } }),
    ...{ leaseMs, timeoutMs, pollMs, outageWaitMs: 20_000 },
  })

  return {
    start() {
      stopping = new AbortController()
      loop.start()
    },
    async stop(graceMs) {
      stopping.abort()
      await loop.stop(graceMs)
    },
  }
}
