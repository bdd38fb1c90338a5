import { Buffer } from 'node:buffer'
import { SallyportError } from '@sallyport/errors'
import type { InternalEvent, PublishResult, Queue } from '@sallyport/webhooks'
import { createOperationTracker } from '@sallyport/internal/operation-tracker'
import { maxTimerMs, untilAborted } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import { checkIntegers } from '@sallyport/internal/options'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import type { Connection } from './connection.ts'
import { hashId, toJson } from './encoding.ts'
import { createTooLarge, missingResult, notSerializable, toFailure, withPlainErrors } from './failure.ts'
import { hasHashTag, nameKey } from './hash-tag.ts'
import { createLazyJobs, type Jobs } from './jobs.ts'
import { receiveJobs } from './receive.ts'

export interface RedisQueueOptions {
  /** The name of the queue in BullMQ. @default sallyport-queue */
  readonly name?: string
  /** Prefix of the keys. In a Redis Cluster, it or the name has a hash tag. @default bull, {bull} in a Redis Cluster */
  readonly prefix?: string
  /** Lease of a received event, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** Interval at which a waiting receiver polls for events of other processes, in milliseconds. @default 250 */
  readonly pollMs?: number
  /** Approximate capacity in events. Over it, `enqueue` returns a retryable failure. @default 1,000,000 */
  readonly events?: number
  /**
   * Maximum size of an event as JSON, in bytes. A larger event is enqueued with a reference to its data, if the dispatcher has
   * `dataref`, and otherwise becomes a dead letter. Set it if `proto-max-bulk-len` of the server is lower than 512 MiB.
   *
   * @default no limit
   */
  readonly eventBytes?: number
  /** Called with an error when a job is not an event and was removed from the queue. */
  readonly onError?: (error: unknown) => unknown
}

/** A shared queue on BullMQ. */
export interface RedisQueue extends Queue {
  /** Resolves if the server responds and is not a replica; otherwise rejects with the reason. */
  ping(): Promise<void>
}

export function createQueue(connection: Connection, options: RedisQueueOptions): RedisQueue {
  const { name = 'sallyport-queue', leaseMs = 15_000, pollMs = 250, onError } = options
  const prefix = hasHashTag(name)
    ? (options.prefix ?? 'bull')
    : nameKey(connection, 'prefix', options.prefix, 'bull')
  const { events: capacity = 1_000_000, eventBytes } = options
  checkIntegers({ leaseMs, pollMs }, 1, maxTimerMs)
  checkIntegers({ events: capacity, eventBytes }, 1)
  const operations = createOperationTracker(
    () => new SallyportError('SERVICE_UNAVAILABLE', 'The queue is closed: open another'),
  )
  const wakeUps = createWakeUps()
  const jobs = createLazyJobs(connection, { name, prefix, leaseMs })
  const run = <Value>(operation: () => Promise<Value>) => operations.run(() => withPlainErrors(operation))

  async function addJobs(
    opened: Jobs,
    events: readonly InternalEvent[],
    signal: AbortSignal,
  ): Promise<PublishResult[]> {
    const { queue } = opened
    const client = await connection.getClient()
    const ids = events.map(({ id }) => hashId(id))
    // Two concurrent calls may both report the same id as new; BullMQ stores it once.
    const [count, ...existing] = await Promise.all([
      queue.getJobCountByTypes('wait', 'active', 'delayed'),
      ...ids.map((id) => client.exists(queue.toKey(id))),
    ])
    signal.throwIfAborted()
    let room = capacity - count
    const seen = new Set<string>()
    const added: Parameters<typeof queue.addBulk>[0] = []
    const results = events.map((event, index): PublishResult => {
      const id = ids[index] ?? ''
      if (existing[index] === 1 || seen.has(id)) return { ok: true, duplicate: true }
      if (eventBytes !== undefined && Buffer.byteLength(toJson(event) ?? '') > eventBytes)
        return createTooLarge(eventBytes)
      if (room-- <= 0) return { ok: false, retryable: true, error: 'The queue is full' }
      seen.add(id)
      added.push({ name: event.name, data: event, opts: { jobId: id } })
      return { ok: true, duplicate: false }
    })
    try {
      if (added.length > 0) await queue.addBulk(added)
    } catch (error) {
      // BullMQ serializes all jobs before it sends the first.
      const writable = events.filter((event) => toJson(event) !== undefined)
      if (writable.length === events.length) throw error
      const writtenResults = (await addJobs(opened, writable, signal)).values()
      const written = new Set(writable)
      return events.map((event) =>
        written.has(event) ? (writtenResults.next().value ?? missingResult) : notSerializable,
      )
    }
    wakeUps.wake()
    return results
  }

  const receiveFrom = ({ worker }: Jobs, limit: number, maxBytes: number, ended: AbortSignal) =>
    receiveJobs(worker, {
      ...{ limit, maxBytes, ended },
      onRetry() {
        wakeUps.wake()
      },
      onInvalidJob() {
        const message = `A job in ${name} is not an event: it was removed`
        callHook(onError, new SallyportError('BAD_REQUEST', message))
      },
    })

  return {
    leaseMs,
    enqueue: (events, signal) =>
      operations.run(async () => {
        signal.throwIfAborted()
        if (events.length === 0) return []
        const enqueueing = jobs
          .open()
          .then((opened) => addJobs(opened, events, signal))
          .catch((error: unknown) => events.map(() => toFailure(error)))
        return untilAborted(enqueueing, signal)
      }),
    receive: ({ limit, maxBytes = Infinity, waitMs = 0, signal }) =>
      run(async () => {
        if (!Number.isInteger(limit) || limit < 1)
          throw new TypeError('limit must be an integer of at least 1')
        const ended = AbortSignal.any([signal, operations.closing])
        const until = performance.now() + waitMs
        for (;;) {
          if (ended.aborted) return []
          const seen = wakeUps.count
          const taken = await receiveFrom(await jobs.open(), limit, maxBytes, ended)
          const leftMs = until - performance.now()
          if (taken.length > 0 || leftMs <= 0) return taken
          // An event that arrived during the request may be missing from its result.
          if (wakeUps.count === seen) await wakeUps.pause(Math.min(leftMs, pollMs), ended)
        }
      }),
    ping: () => run(() => connection.ping()),
    async close() {
      await operations.close()
      await jobs.close()
    },
  }
}
