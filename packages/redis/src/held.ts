import type { InternalEvent, ReceivedEvent } from '@sallyport/webhooks'
import type { Job } from 'bullmq'
import { plainly } from './failure.ts'

/** BullMQ's codes for a job that is gone, not locked, not active, or locked by another token. */
const lost = [-1, -2, -3, -6]

export interface HeldOptions {
  /** What the job was received under. */
  readonly token: string
  readonly bytes: number
  /** Told when it was given back. */
  readonly onRetry: () => void
}

/** An event of the queue, from a job that was received. */
export function heldEvent(job: Job<InternalEvent>, { token, bytes, onRetry }: HeldOptions): ReceivedEvent {
  let ended = false
  const end = (step: () => Promise<unknown>) =>
    plainly(async () => {
      if (ended) return false
      ended = true
      try {
        await step()
        return true
      } catch (error) {
        if (lost.includes((error as { code?: number }).code ?? 0)) return false
        ended = false
        throw error
      }
    })
  return {
    event: job.data,
    attempts: job.attemptsStarted - 1,
    since: job.timestamp,
    bytes,
    ack: () => end(() => job.moveToCompleted(undefined, token, false)),
    async retry(afterMs) {
      if (!Number.isFinite(afterMs)) throw new TypeError('The delay of a retry is not a number')
      const given = await end(() => job.moveToDelayed(Date.now() + Math.max(0, Math.ceil(afterMs)), token))
      if (given) onRetry()
      return given
    },
  }
}
