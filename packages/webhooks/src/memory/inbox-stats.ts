import { integerOption } from '@sallyport/internal/options'
import type { InboxStats } from '../ports/ports.ts'
import { statusOf, type DeliveryShelf } from './inbox-shelf.ts'
import type { InboxWork } from './inbox-work.ts'

export function countWork(work: InboxWork, shelf: DeliveryShelf, countUpTo: number): InboxStats {
  integerOption('countUpTo', countUpTo, 0)
  const events = { pending: 0, queued: 0, dead: 0, published: 0 }
  const notifications = { pending: 0, dead: 0 }
  let quarantined = 0
  let oldestPendingAt = Infinity
  let oldestQueuedAt = Infinity
  for (const { quarantine, receivedAt, items } of shelf.byId.values()) {
    if (quarantine?.reason !== undefined) quarantined++
    for (const item of items) {
      const status = statusOf(item)
      events[status]++
      if (status === 'pending') oldestPendingAt = Math.min(oldestPendingAt, receivedAt)
      if (status === 'queued' && item.attempts === 0) oldestQueuedAt = Math.min(oldestQueuedAt, receivedAt)
      const told = item.notification?.status
      if (told === 'pending' || told === 'dead') notifications[told]++
    }
  }
  const upTo = (count: number) => Math.min(count, countUpTo)
  return {
    events: { pending: upTo(events.pending), queued: upTo(events.queued), dead: upTo(events.dead) },
    notifications: { pending: upTo(notifications.pending), dead: upTo(notifications.dead) },
    quarantined: upTo(quarantined),
    ...(oldestPendingAt < Infinity && { oldestPendingAt }),
    ...(oldestQueuedAt < Infinity && { oldestQueuedAt }),
    published: work.log.total,
  }
}
