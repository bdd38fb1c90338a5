import { SallyportError } from '@sallyport/errors'
import type { InternalEvent } from '@sallyport/webhooks'
import { Queue as JobQueue } from 'bullmq'
import type { Redis as Client } from 'ioredis'
import type { Connection } from './connection.ts'
import { SizingWorker } from './sizing-worker.ts'
import { untilAborted } from './until-aborted.ts'

export interface JobsOptions {
  readonly name: string
  readonly prefix: string
  readonly leaseMs: number
}

/** BullMQ's two halves of a queue: one takes in, the other gives out. */
export interface Jobs {
  readonly queue: JobQueue<InternalEvent>
  readonly worker: SizingWorker
}

interface Begun extends Jobs {
  readonly ready: Promise<unknown>
}

/** Opens them once the server has answered: what BullMQ begins without one never comes to life. */
export function lazyJobs(connection: Connection, options: JobsOptions) {
  let jobs: Begun | undefined
  let closed = false
  return {
    /** Rejects once they are closed. */
    async open(): Promise<Jobs> {
      const client = await connection.current()
      // Whoever asked may be gone since, and its queue closed: nobody would end what begins now.
      if (closed) throw new SallyportError('SERVICE_UNAVAILABLE', 'The queue is closed: open another')
      const mine = (jobs ??= begin(client, connection.openMs, options))
      try {
        await mine.ready
      } catch (error) {
        // The server went away in the middle, and they would fail for ever.
        if (jobs === mine) {
          jobs = undefined
          void end(mine)
        }
        throw error
      }
      return mine
    },
    async close(): Promise<void> {
      closed = true
      if (jobs) await end(jobs)
    },
  }
}

function begin(connection: Client, openMs: number, { name, prefix, leaseMs }: JobsOptions): Begun {
  const common = { connection, prefix }
  const queue = new JobQueue<InternalEvent>(name, {
    ...common,
    defaultJobOptions: { removeOnComplete: true },
    streams: { events: { maxLen: 1000 } },
  })
  const worker = new SizingWorker(name, undefined, {
    ...{ ...common, autorun: false, lockDuration: leaseMs },
    // A lease that has ended is noticed by the second look after it.
    stalledInterval: Math.max(50, Math.round(leaseMs / 20)),
    // Giving up is the drainer's.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  })
  // What fails is told to whoever asked for it, and the connection by its hooks.
  queue.on('error', () => undefined)
  worker.on('error', () => undefined)
  void worker.startStalledCheckTimer()
  // The worker has a connection of its own beside; where that failed to open, BullMQ would refuse to end any job, for good.
  const ready = Promise.all([queue.waitUntilReady(), worker.waitUntilReady()])
  return { queue, worker, ready: untilAborted(ready, AbortSignal.timeout(openMs)).catch(notOpened) }
}

function notOpened(cause: unknown): never {
  const isLate = cause instanceof DOMException
  throw isLate ? new SallyportError('SERVICE_UNAVAILABLE', tooLate, { cause }) : cause
}

const tooLate =
  'Redis gave the queue no second connection in time: see how many it admits (maxclients), or try again later'

async function end({ queue, worker }: Jobs): Promise<void> {
  await Promise.allSettled([worker.close(true), queue.close()])
}
