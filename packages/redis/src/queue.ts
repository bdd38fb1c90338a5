import { SallyportError } from '@sallyport/errors'
import type { InternalEvent, PublishResult, Queue } from '@sallyport/webhooks'
import { Arrivals } from './arrivals.ts'
import type { Connection } from './connection.ts'
import { digestOf } from './digest.ts'
import { failureOf, noAnswer, plainly, unwritable } from './failure.ts'
import { lazyJobs, type Jobs } from './jobs.ts'
import { jsonOf } from './json-of.ts'
import { Operations } from './operations.ts'
import { requireIntegers, requireTimers } from './options.ts'
import { take } from './take.ts'
import { tell } from './tell.ts'
import { untilAborted } from './until-aborted.ts'

export interface RedisQueueOptions {
  /** The name of the queue, as BullMQ's tools show it. @default sallyport-queue */
  readonly name?: string
  /** What its keys begin with. @default bull */
  readonly prefix?: string
  /** How long a received event is the receiver's, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** How often a waiting receiver looks for what other processes have enqueued, in milliseconds. @default 250 */
  readonly pollMs?: number
  /** Events that it holds, roughly; past it, `enqueue` answers with a retryable failure. @default 1,000,000 */
  readonly events?: number
  /** Told of a job that is no event, and was taken out of the queue. */
  readonly onError?: (error: unknown) => unknown
}

/** A shared queue of BullMQ. */
export interface RedisQueue extends Queue {
  /** Resolves when the server answers and is no replica; rejects with the reason when it does not. */
  ping(): Promise<void>
}

export function createQueue(connection: Connection, options: RedisQueueOptions): RedisQueue {
  const { name = 'sallyport-queue', prefix = 'bull', leaseMs = 15_000, pollMs = 250, onError } = options
  const { events: capacity = 1_000_000 } = options
  requireTimers({ leaseMs, pollMs })
  requireIntegers({ events: capacity })
  const operations = new Operations('queue')
  const arrivals = new Arrivals()
  const jobs = lazyJobs(connection, { name, prefix, leaseMs })
  const run = <Value>(operation: () => Promise<Value>) => operations.run(() => plainly(operation))

  async function enqueueIn(
    opened: Jobs,
    events: readonly InternalEvent[],
    signal: AbortSignal,
  ): Promise<PublishResult[]> {
    const { queue } = opened
    const client = await connection.current()
    const ids = events.map(({ id }) => digestOf(id))
    // Of two processes that enqueue one id at once, both may say that it is new; it is there once all the same.
    const [held, ...there] = await Promise.all([
      queue.getJobCountByTypes('wait', 'active', 'delayed'),
      ...ids.map((id) => client.exists(queue.toKey(id))),
    ])
    signal.throwIfAborted()
    let room = capacity - held
    const seen = new Set<string>()
    const added: Parameters<typeof queue.addBulk>[0] = []
    const results = events.map((event, index): PublishResult => {
      const id = ids[index] ?? ''
      if (there[index] === 1 || seen.has(id)) return { ok: true, duplicate: true }
      if (room-- <= 0) return { ok: false, retryable: true, error: 'The queue is full' }
      seen.add(id)
      added.push({ name: event.name, data: event, opts: { jobId: id } })
      return { ok: true, duplicate: false }
    })
    try {
      if (added.length > 0) await queue.addBulk(added)
    } catch (error) {
      // BullMQ writes all of them as JSON before it sends any.
      const writable = events.filter((event) => jsonOf(event) !== undefined)
      if (writable.length === events.length) throw error
      const answers = (await enqueueIn(opened, writable, signal)).values()
      const sent = new Set(writable)
      return events.map((event) => (sent.has(event) ? (answers.next().value ?? noAnswer) : unwritable))
    }
    arrivals.wakeAll()
    return results
  }

  const takeFrom = ({ worker }: Jobs, limit: number, maxBytes: number, ended: AbortSignal) =>
    take(worker, {
      ...{ limit, maxBytes, ended },
      onRetry() {
        arrivals.wakeAll()
      },
      onStranger() {
        const what = `A job in ${name} is no event: it was taken out`
        tell(() => onError?.(new SallyportError('BAD_REQUEST', what)))
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
          .then((opened) => enqueueIn(opened, events, signal))
          .catch((error: unknown) => events.map(() => failureOf(error)))
        return untilAborted(enqueueing, signal)
      }),
    receive: ({ limit, maxBytes = Infinity, waitMs = 0, signal }) =>
      run(async () => {
        if (!Number.isInteger(limit) || limit < 1) throw new TypeError('The limit is a whole number above 0')
        const ended = AbortSignal.any([signal, operations.closing])
        const until = performance.now() + waitMs
        for (;;) {
          if (ended.aborted) return []
          const seen = arrivals.count
          const taken = await takeFrom(await jobs.open(), limit, maxBytes, ended)
          const leftMs = until - performance.now()
          if (taken.length > 0 || leftMs <= 0) return taken
          // What came in while the server was asked may not be in its answer.
          if (arrivals.count === seen) await arrivals.pause(Math.min(leftMs, pollMs), ended)
        }
      }),
    ping: () => run(() => connection.ping()),
    async close() {
      await operations.close()
      await jobs.close()
    },
  }
}
