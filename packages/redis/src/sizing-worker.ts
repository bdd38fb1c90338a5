import { Buffer } from 'node:buffer'
import type { InternalEvent } from '@sallyport/webhooks'
import { Worker, type Job, type JobJson } from 'bullmq'

/** A worker that knows how many bytes of data the jobs had that it has given out, without writing them as JSON again. */
export class SizingWorker extends Worker<InternalEvent> {
  readonly #sizes = new WeakMap<object, number>()

  sizeOf(job: object): number {
    return this.#sizes.get(job) ?? 0
  }

  protected override createJob(data: JobJson, jobId: string): Job<InternalEvent> {
    const job = this.#read(data, jobId)
    this.#sizes.set(job, Buffer.byteLength(data.data || ''))
    return job
  }

  /** What another program has put there may have no data, or such that are no JSON: it is no event then, and no failure. */
  #read(data: JobJson, jobId: string): Job<InternalEvent> {
    try {
      return super.createJob(data, jobId)
    } catch {
      return super.createJob({ ...data, data: 'null' }, jobId)
    }
  }
}
