import { withDeadline } from '@sallyport/internal/deadline'
import type { ClaimedWork, DispatcherInbox } from '../ports/ports.ts'
import type { SettleBatch } from './attempt.ts'
import type { WorkLoop } from './work-loop.ts'

interface PassOptions {
  readonly inbox: DispatcherInbox
  readonly notifying: WorkLoop
  readonly leaseMs: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * Creates the function that settles published events and passes their notifications to the loop of the notifications. A claim
 * would read the events from the inbox again.
 *
 * Notifications that cannot start soon are claimed, because no other process could claim them until the end of the lease. While
 * the claims have no room for older notifications, none is passed, so that the newer ones do not delay them.
 */
export function passNotifications({ inbox, notifying, leaseMs, now }: PassOptions): SettleBatch {
  return async (settlements, batch) => {
    if (inbox.settlePublished === undefined || notifying.room < batch.length) {
      const settled = await withDeadline(leaseMs, inbox.settle('publish', settlements))
      if (settlements.some(({ outcome }, index) => outcome.status === 'done' && settled[index]))
        notifying.wake()
      return settled
    }
    const leaseAge = notifying.startLease()
    const results = await withDeadline(leaseMs, inbox.settlePublished(settlements, { leaseMs }))
    const since = now()
    const notifications = batch.flatMap((work, index): readonly ClaimedWork[] => {
      const lease = results[index]?.notificationLease
      return lease === undefined ? [] : [{ ...work, attempts: 0, since, lease }]
    })
    await notifying.add(notifications, leaseAge, true)
    return batch.map((_, index) => results[index]?.settled === true)
  }
}
