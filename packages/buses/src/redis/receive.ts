import { randomUUID } from 'node:crypto'
import type { InternalEvent, ReceivedEvent } from '@sallyport/webhooks'
import type { Job } from 'bullmq'
import { withPlainErrors } from './failure.ts'
import type { SizingWorker } from './jobs.ts'

export interface ReceiveOptions {
  readonly limit: number
  readonly maxBytes: number
  /** Ends the receive between two portions. */
  readonly ended: AbortSignal
  /** Called after an event was scheduled for a retry. */
  readonly onRetry: () => void
  /** Called after a job that is not an event was removed. */
  readonly onInvalidJob: () => void
}

/** Maximum number of concurrent job requests. */
const maxPortion = 64

/** Receives available jobs in portions. The portions double while the sizes of earlier jobs leave room for more. */
export async function receiveJobs(worker: SizingWorker, options: ReceiveOptions): Promise<ReceivedEvent[]> {
  const { limit, maxBytes, ended } = options
  const received: ReceivedEvent[] = []
  let bytes = 0
  const isFull = () => received.length >= limit || (received.length > 0 && !(bytes < maxBytes))
  for (let size = 1; !isFull() && !ended.aborted; size = Math.min(maxPortion, size * 2)) {
    const fitting = bytes > 0 ? Math.ceil((maxBytes - bytes) / (bytes / received.length)) : size
    const requested = Math.min(size, limit - received.length, fitting)
    const token = randomUUID()
    const outcomes = await Promise.allSettled(
      Array.from({ length: requested }, () => worker.getNextJob(token, { block: false })),
    )
    const failed = outcomes.find((one) => one.status === 'rejected')
    // getNextJob resolves with undefined if no job is available, although its type excludes it.
    const jobs = outcomes.map((one) =>
      one.status === 'fulfilled' ? (one.value as Job<unknown> | undefined) : undefined,
    )
    let found = 0
    for (const job of jobs) {
      if (job === undefined) continue
      found++
      const event = await readJob(job, token, worker.getSize(job), options)
      if (event === undefined) continue
      received.push(event)
      bytes += event.bytes ?? 0
    }
    // A failed request must not drop the jobs that the others have leased.
    if (failed && received.length === 0) throw failed.reason as Error
    if (found < requested) break
  }
  return received
}

async function readJob(
  job: Job<unknown>,
  token: string,
  bytes: number,
  { onRetry, onInvalidJob }: ReceiveOptions,
): Promise<ReceivedEvent | undefined> {
  const { id, name } = Object(job.data) as Partial<InternalEvent>
  if (typeof id === 'string' && typeof name === 'string')
    return createReceivedEvent(job as Job<InternalEvent>, { token, bytes, onRetry })
  await job.moveToCompleted(undefined, token, false).catch(() => undefined)
  onInvalidJob()
  return undefined
}

/** Error codes of BullMQ for a job that is missing, not locked, not active or locked with another token. */
const lostLeaseCodes = [-1, -2, -3, -6]

interface ReceivedJob {
  /** The lock token that the job was received with. */
  readonly token: string
  readonly bytes: number
  /** Called after the event was scheduled for a retry. */
  readonly onRetry: () => void
}

/** Wraps a received job as an event of the queue. */
function createReceivedEvent(job: Job<InternalEvent>, { token, bytes, onRetry }: ReceivedJob): ReceivedEvent {
  let settled = false
  const settle = (step: () => Promise<unknown>) =>
    withPlainErrors(async () => {
      if (settled) return false
      settled = true
      try {
        await step()
        return true
      } catch (error) {
        if (lostLeaseCodes.includes((error as { code?: number }).code ?? 0)) return false
        settled = false
        throw error
      }
    })
  return {
    event: job.data,
    attempts: job.attemptsStarted - 1,
    since: job.timestamp,
    bytes,
    ack: () => settle(() => job.moveToCompleted(undefined, token, false)),
    async retry(afterMs) {
      if (!Number.isFinite(afterMs))
        throw new TypeError('The delay of a retry must be a finite number of milliseconds')
      const isScheduled = await settle(() =>
        job.moveToDelayed(Date.now() + Math.max(0, Math.ceil(afterMs)), token),
      )
      if (isScheduled) onRetry()
      return isScheduled
    },
  }
}
