import { maxTimerMs } from '@sallyport/internal/deadline'
import { createKeyedMutex } from '@sallyport/internal/keyed-mutex'
import type { WebhookEvent } from '../ports/event.ts'
import type { ReceivedMessage } from './source.ts'

/** Events with the same subject are one lane. An event without a subject is a separate lane. */
export const getLane = ({ subject, id }: WebhookEvent): string => subject || id

/** The messages of a consumer, in lanes. */
export interface Lanes {
  /**
   * Runs a task when the tasks of the lane before it have ended. Returns false, without running it, when the message is behind
   * a deferred one.
   */
  readonly run: (lane: string, message: ReceivedMessage, task: () => Promise<unknown>) => Promise<boolean>
  /** Ends the waits of messages that are behind a deferred one. */
  readonly recheck: (lane: string) => void
}

/** @param onTimeout creates the error for a message that waited for as long as a timer can last */
export function createConsumerLanes(onTimeout: () => Error): Lanes {
  const mutex = createKeyedMutex(maxTimerMs, onTimeout)
  const waits = new Map<string, Set<() => void>>()

  function add(lane: string, recheck: () => void): void {
    const ofLane = waits.get(lane)
    if (ofLane) ofLane.add(recheck)
    else waits.set(lane, new Set([recheck]))
  }

  function remove(lane: string, recheck: () => void): void {
    const ofLane = waits.get(lane)
    ofLane?.delete(recheck)
    if (ofLane?.size === 0) waits.delete(lane)
  }

  return {
    async run(lane, message, task) {
      const isBehind = () => message.isBehind?.() === true
      if (isBehind()) return false
      let isWaiting = true
      const { promise: left, resolve } = Promise.withResolvers<boolean>()
      const recheck = () => {
        if (!isBehind()) return
        isWaiting = false
        resolve(false)
      }
      add(lane, recheck)
      const turn = mutex(lane, async () => {
        remove(lane, recheck)
        if (!isWaiting || isBehind()) return false
        await task()
        return true
      })
      try {
        return await Promise.race([turn, left])
      } finally {
        remove(lane, recheck)
      }
    },
    recheck(lane) {
      for (const recheck of [...(waits.get(lane) ?? [])]) recheck()
    },
  }
}
