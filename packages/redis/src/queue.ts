import { randomUUID } from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import type { InternalEvent, PublishResult, Queue, ReceivedEvent } from '@sallyport/webhooks'
import type { Job } from 'bullmq'
import { Arrivals } from './arrivals.ts'
import type { Connection } from './connection.ts'
import { digestOf } from './digest.ts'
import { failureOf, plainly } from './failure.ts'
import { heldEvent } from './held.ts'
import { lazyJobs, type Jobs } from './jobs.ts'
import { Operations } from './operations.ts'
import { requireIntegers, requireTimers } from './options.ts'
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
  /** Resolves when the server answers; rejects with the reason when it does not. */
  ping(): Promise<void>
}

/** Jobs that are asked for without waiting for each other. */
const portion = 64

export function createQueue(connection: Connection, options: RedisQueueOptions): RedisQueue {
  const { name = 'sallyport-queue', prefix = 'bull', leaseMs = 15_000, pollMs = 250, onError } = options
  const { events: capacity = 1_000_000 } = options
  requireTimers({ leaseMs, pollMs })
  requireIntegers({ events: capacity })
  const operations = new Operations('queue')
  const arrivals = new Arrivals()
  const jobs = lazyJobs(connection, { name, prefix, leaseMs })
  const run = <Value>(operation: () => Promise<Value>) => operations.run(() => plainly(operation))

  async function enqueueIn({ queue }: Jobs, events: readonly InternalEvent[], signal: AbortSignal) {
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
    if (added.length > 0) await queue.addBulk(added)
    arrivals.wakeAll()
    return results
  }

  async function take({ worker }: Jobs, limit: number, ended: AbortSignal): Promise<ReceivedEvent[]> {
    const taken: ReceivedEvent[] = []
    for (let ask = 1, found = 0; taken.length < limit && !ended.aborted; ask = Math.min(portion, ask * 2)) {
      const asked = Math.min(ask, limit - taken.length)
      const token = randomUUID()
      const answers = await Promise.allSettled(
        Array.from({ length: asked }, () => worker.getNextJob(token, { block: false })),
      )
      const failed = answers.find((one) => one.status === 'rejected')
      // BullMQ types it as if there were always one.
      const given = answers.map((one) =>
        one.status === 'fulfilled' ? (one.value as Job<Partial<InternalEvent>> | undefined) : undefined,
      )
      found = 0
      for (const job of given) {
        if (job === undefined) continue
        found++
        taken.push(...(await readJob(job, token)))
      }
      // What was leased is not lost because another request failed.
      if (failed && taken.length === 0) throw failed.reason as Error
      if (found < asked) break
    }
    return taken
  }

  async function readJob(job: Job<Partial<InternalEvent>>, token: string): Promise<ReceivedEvent[]> {
    if (typeof job.data.id === 'string' && typeof job.data.name === 'string')
      return [
        heldEvent(job as Job<InternalEvent>, token, () => {
          arrivals.wakeAll()
        }),
      ]
    await job.moveToCompleted(undefined, token, false).catch(() => undefined)
    onError?.(new SallyportError('BAD_REQUEST', `A job in ${name} is no event: it was taken out`))
    return []
  }

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
    receive: ({ limit, waitMs = 0, signal }) =>
      run(async () => {
        if (!Number.isInteger(limit) || limit < 1) throw new TypeError('The limit is a whole number above 0')
        const ended = AbortSignal.any([signal, operations.closing])
        const until = performance.now() + waitMs
        for (;;) {
          if (ended.aborted) return []
          const seen = arrivals.count
          const taken = await take(await jobs.open(), limit, ended)
          const leftMs = until - performance.now()
          if (taken.length > 0 || leftMs <= 0) return taken
          // What came in while the server was asked may not be in its answer.
          if (arrivals.count === seen) await arrivals.pause(Math.min(leftMs, pollMs), ended)
        }
      }),
    ping: () =>
      run(async () => {
        await (await connection.current()).ping()
      }),
    async close() {
      await operations.close()
      await jobs.close()
    },
  }
}
