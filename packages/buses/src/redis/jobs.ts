import { Buffer } from 'node:buffer'
import { SallyportError } from '@sallyport/errors'
import type { InternalEvent } from '@sallyport/webhooks'
import { Queue as JobQueue, Worker, type Job, type JobJson } from 'bullmq'
import type { Redis as Client } from 'ioredis'
import { untilAborted } from '@sallyport/internal/deadline'
import type { Connection } from './connection.ts'

export interface JobsOptions {
  readonly name: string
  readonly prefix: string
  readonly leaseMs: number
}

/** The BullMQ objects of one queue: `queue` adds jobs, `worker` receives them. */
export interface Jobs {
  readonly queue: JobQueue<InternalEvent>
  readonly worker: SizingWorker
}

interface StartedJobs extends Jobs {
  readonly ready: Promise<unknown>
}

/** Creates the BullMQ objects on first use, because BullMQ never recovers if the first connection fails. */
export function createLazyJobs(connection: Connection, options: JobsOptions) {
  let jobs: StartedJobs | undefined
  let closed = false
  return {
    /** Rejects after `close`. */
    async open(): Promise<Jobs> {
      const client = await connection.getClient()
      // The queue may have been closed while the client connected; nothing would stop jobs that start now.
      if (closed) throw new SallyportError('SERVICE_UNAVAILABLE', 'The queue is closed: open another')
      const started = (jobs ??= startJobs(client, connection.openMs, options))
      try {
        await started.ready
      } catch (error) {
        // The connection failed during the start, and BullMQ would fail permanently.
        if (jobs === started) {
          jobs = undefined
          void stopJobs(started)
        }
        throw error
      }
      return started
    },
    async close(): Promise<void> {
      closed = true
      if (jobs) await stopJobs(jobs)
    },
  }
}

function startJobs(connection: Client, openMs: number, { name, prefix, leaseMs }: JobsOptions): StartedJobs {
  const common = { connection, prefix }
  const queue = new JobQueue<InternalEvent>(name, {
    ...common,
    defaultJobOptions: { removeOnComplete: true },
    streams: { events: { maxLen: 1000 } },
  })
  const worker = new SizingWorker(name, undefined, {
    ...{ ...common, autorun: false, lockDuration: leaseMs },
    // The second check after the end of a lease makes the job available again.
    stalledInterval: Math.max(50, Math.round(leaseMs / 20)),
    // The drainer limits the attempts.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  })
  // Callers receive the errors of their calls, and the hooks receive those of the connection.
  queue.on('error', () => undefined)
  worker.on('error', () => undefined)
  void worker.startStalledCheckTimer()
  // BullMQ cannot complete any job if the second connection of the worker failed to open.
  const ready = Promise.all([queue.waitUntilReady(), worker.waitUntilReady()])
  return { queue, worker, ready: untilAborted(ready, AbortSignal.timeout(openMs)).catch(throwOpenError) }
}

function throwOpenError(cause: unknown): never {
  const isLate = cause instanceof DOMException
  throw isLate ? new SallyportError('SERVICE_UNAVAILABLE', openTimeoutMessage, { cause }) : cause
}

const openTimeoutMessage =
  'Redis did not open a second connection for the queue in time: check maxclients, or try again later'

async function stopJobs({ queue, worker }: Jobs): Promise<void> {
  await Promise.allSettled([worker.close(true), queue.close()])
}

/** A worker that remembers the size of the data of each received job, so that it need not be serialized again. */
export class SizingWorker extends Worker<InternalEvent> {
  readonly #sizes = new WeakMap<object, number>()

  getSize(job: object): number {
    return this.#sizes.get(job) ?? 0
  }

  protected override createJob(data: JobJson, jobId: string): Job<InternalEvent> {
    const job = this.#read(data, jobId)
    this.#sizes.set(job, Buffer.byteLength(data.data || ''))
    return job
  }

  /** A job of another program may have no data or invalid JSON. Such a job is not an event, but not an error either. */
  #read(data: JobJson, jobId: string): Job<InternalEvent> {
    try {
      return super.createJob(data, jobId)
    } catch {
      return super.createJob({ ...data, data: 'null' }, jobId)
    }
  }
}
