import type { InternalEvent, ReceivedEvent } from '@sallyport/webhooks'
import type { Job } from 'bullmq'
import { plainly } from './failure.ts'

/** BullMQ's codes for a job that is gone, not locked, not active, or locked by another token. */
const lost = [-1, -2, -3, -6]

/** An event of the queue, from a job that was received under this token. */
export function heldEvent(job: Job<InternalEvent>, token: string, onRetry: () => void): ReceivedEvent {
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
    ack: () => end(() => job.moveToCompleted(undefined, token, false)),
    async retry(afterMs) {
      if (!Number.isFinite(afterMs)) throw new TypeError('The delay of a retry is not a number')
      const given = await end(() => job.moveToDelayed(Date.now() + Math.max(0, Math.ceil(afterMs)), token))
      if (given) onRetry()
      return given
    },
  }
}
