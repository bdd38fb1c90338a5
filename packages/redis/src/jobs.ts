import type { InternalEvent } from '@sallyport/webhooks'
import { Queue as JobQueue, Worker } from 'bullmq'
import type { Connection } from './connection.ts'

export interface JobsOptions {
  readonly name: string
  readonly prefix: string
  readonly leaseMs: number
}

/** BullMQ's two halves of a queue: one takes in, the other gives out. */
export interface Jobs {
  readonly queue: JobQueue<InternalEvent>
  readonly worker: Worker<InternalEvent>
}

/** Opens them once the server has answered: what BullMQ begins without one never comes to life. */
export function lazyJobs(connection: Connection, { name, prefix, leaseMs }: JobsOptions) {
  let jobs: Jobs | undefined
  return {
    async open(): Promise<Jobs> {
      const client = await connection.current()
      if (jobs !== undefined) return jobs
      const common = { connection: client, prefix }
      const queue = new JobQueue<InternalEvent>(name, {
        ...common,
        defaultJobOptions: { removeOnComplete: true },
        streams: { events: { maxLen: 1000 } },
      })
      const worker = new Worker<InternalEvent>(name, undefined, {
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
      return (jobs = { queue, worker })
    },
    async close(): Promise<void> {
      await Promise.allSettled([jobs?.worker.close(true), jobs?.queue.close()])
    },
  }
}
