import { randomUUID } from 'node:crypto'
import type { InternalEvent, ReceivedEvent } from '@sallyport/webhooks'
import type { Job } from 'bullmq'
import { heldEvent } from './held.ts'
import type { SizingWorker } from './sizing-worker.ts'

export interface TakeOptions {
  readonly limit: number
  readonly maxBytes: number
  /** Ends the taking between two portions. */
  readonly ended: AbortSignal
  /** Told when an event was given back. */
  readonly onRetry: () => void
  /** Told of a job that is no event, and was taken out. */
  readonly onStranger: () => void
}

/** Jobs that are asked for without waiting for each other. */
const portion = 64

/** Takes what is due, in portions that begin with one and grow as far as their sizes let expect that they have room. */
export async function take(worker: SizingWorker, options: TakeOptions): Promise<ReceivedEvent[]> {
  const { limit, maxBytes, ended } = options
  const taken: ReceivedEvent[] = []
  let bytes = 0
  const isFull = () => taken.length >= limit || (taken.length > 0 && !(bytes < maxBytes))
  for (let ask = 1; !isFull() && !ended.aborted; ask = Math.min(portion, ask * 2)) {
    const fitting = bytes > 0 ? Math.ceil((maxBytes - bytes) / (bytes / taken.length)) : ask
    const asked = Math.min(ask, limit - taken.length, fitting)
    const token = randomUUID()
    const answers = await Promise.allSettled(
      Array.from({ length: asked }, () => worker.getNextJob(token, { block: false })),
    )
    const failed = answers.find((one) => one.status === 'rejected')
    // BullMQ types it as if there were always one.
    const given = answers.map((one) =>
      one.status === 'fulfilled' ? (one.value as Job<unknown> | undefined) : undefined,
    )
    let found = 0
    for (const job of given) {
      if (job === undefined) continue
      found++
      const event = await readJob(job, token, worker.sizeOf(job), options)
      if (event === undefined) continue
      taken.push(event)
      bytes += event.bytes ?? 0
    }
    // What was leased is not lost because another request failed.
    if (failed && taken.length === 0) throw failed.reason as Error
    if (found < asked) break
  }
  return taken
}

async function readJob(
  job: Job<unknown>,
  token: string,
  bytes: number,
  { onRetry, onStranger }: TakeOptions,
): Promise<ReceivedEvent | undefined> {
  const { id, name } = Object(job.data) as Partial<InternalEvent>
  if (typeof id === 'string' && typeof name === 'string')
    return heldEvent(job as Job<InternalEvent>, { token, bytes, onRetry })
  await job.moveToCompleted(undefined, token, false).catch(() => undefined)
  onStranger()
  return undefined
}
