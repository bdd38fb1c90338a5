import { checkFunctions, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { AttemptBatch } from './attempt.ts'
import { publishWithReferences, type DataReferenceOptions } from './data-reference.ts'
import { leaseAges, type LeaseAge } from '../ports/lease-age.ts'
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

export interface DrainerOptions
  extends Omit<WorkLoopOptions, 'leaseMs'>, WorkLoopHooks, DataReferenceOptions {
  /** The shared queue, which fixes the duration of the leases. */
  readonly queue: Queue
  /** The bus. */
  readonly publisher: Publisher
  /**
   * The inbox that recorded the events; the drainer settles them there. Omit the inbox only for a queue that no dispatcher
   * fills: otherwise each event is enqueued again after `redeliverAfterMs`, without end. Without an inbox, the drainer creates
   * no dead letters: it retries an event until the event is published.
   */
  readonly inbox?: DrainerInbox
}

/** Publishes the events of the shared queue on the bus. */
export interface Drainer {
  start(): void
  /**
   * Waits for running attempts and returns all other events, so that another process can receive them at once. An event whose
   * attempt is still running after the grace period is received again when its lease ends.
   *
   * @param graceMs in milliseconds, by default the timeout of an attempt; a negative value is 0
   * @throws TypeError when the grace period is not a number
   */
  stop(graceMs?: number): Promise<void>
}

/**
 * Creates the drainer of a shared queue. The drainer receives events in batches, publishes them under the same names and
 * ids, settles them in the inbox, and then acknowledges them. After a crash in between, another process publishes them again
 * under the same ids; a bus that deduplicates stores them once.
 *
 * A failed event is retried from the queue with the back-off of the dispatcher, and the inbox stores the reason. After a final
 * failure, or a day after it was enqueued, the event becomes a dead letter of the inbox, which can be replayed.
 *
 * @throws TypeError without a publisher, for an incomplete inbox, for a number that is out of range, and when `timeoutMs` is
 * not less than the lease of the queue
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
  // A lease counts from the beginning of the wait for the event.
  const waitMs = Math.min(pollMs, Math.max(0, leaseMs - timeoutMs) / 2)
  const leased = new Map<string, { readonly received: ReceivedEvent; readonly leaseAge: LeaseAge }>()
  let stopping = new AbortController()
  let leases = 0

  const source: WorkSource = {
    async claim(_, { limit, maxBytes }) {
      const waited = startLease()
      const { signal } = stopping
      const room = { limit, ...(maxBytes !== undefined && { maxBytes }) }
      const events = await queue.receive({ ...room, waitMs, signal })
      // Receives again at once, unless the queue does not wait.
      if (events.length > 0 || waited() >= waitMs / 2) loop.wake()
      const leaseAge = startLease()
      forgetExpired()
      return events.map((received) => {
        const { event, attempts, since, bytes = 0 } = received
        const lease = String(leases++)
        leased.set(lease, { received, leaseAge })
        return { event, route: 'queue', attempts, since, lease, bytes }
      })
    },

    async settle(_, settlements) {
      const received = settlements.map(({ outcome, lease }) => ({
        outcome,
        event: leased.get(lease)?.received,
      }))
      for (const { lease } of settlements) leased.delete(lease)
      // The inbox settles before the queue deletes: a crash in between publishes an event again and loses none.
      await settleInInbox(settlements)
      return Promise.all(
        received.map(async ({ outcome, event }) => {
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

  /** Forgets events whose leases ended before an attempt started; oldest first. */
  function forgetExpired(): void {
    for (const [lease, { leaseAge }] of leased) {
      if (leaseAge() < leaseMs) return
      leased.delete(lease)
    }
  }

  async function settleInInbox(settlements: readonly Settlement[]): Promise<void> {
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
    // The stored failures are for operators only: the queue retries without them.
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

  const publishEvents = publishWithReferences(
    (events, signal) => publisher.publish(events, signal),
    options.dataref,
  )
  const publish: AttemptBatch = async (works, signal) => {
    const results = await publishEvents(
      works.map(({ event }) => event),
      signal,
    )
    return inbox
      ? results
      : mapAnswers(results, (result) => (result.ok ? result : { ...result, retryable: true }))
  }

  const loop = createWorkLoop('publish', source, publish, {
    ...options,
    // Dead letters need an inbox.
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
