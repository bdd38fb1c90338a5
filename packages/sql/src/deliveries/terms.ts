// SQL conditions in which `d` is a delivery. Worker threads import this file, so it imports nothing.

/** Matches the events `e` of a delivery `d` with one of the statuses, using the index. */
export const eventsOfDelivery = (...statuses: readonly string[]): string =>
  `e.provider = d.provider and e.status in (${statuses.map((status) => `'${status}'`).join()})
     and e.received_at = d.received_at and e.delivery = d.sequence`

export const allEvents = eventsOfDelivery('pending', 'queued', 'published', 'dead')

/** Matches deliveries `d` that are quarantined or have an unpublished event. */
export const isUnfinished = `(coalesce(d.eventless, '') = 'quarantined'
  or exists (select 1 from events e where ${eventsOfDelivery('pending', 'queued', 'dead')}))`

/** Matches deliveries `d` that have no events and are not in quarantine. */
export const isEmpty = `(d.eventless is null or d.eventless = 'resolved' or d.erased_at is not null)
  and not exists (select 1 from events e where ${allEvents})`

/** Matches the batch `b` of `notification_batches` that has the notification of an event `e`. */
export const isInBatch = `e.notification is not null and e.published_sequence between b.first and b.last`

/**
 * Matches events `e` that are published and have no open notification.
 *
 * The status is compared outside the subquery. Inside it, the planner could scan the whole index of pending
 * notifications for each event when it expects few of them.
 */
export const isEnded = `e.status = 'published'
  and coalesce((select n.status from notifications n where n.event = e.sequence),
    case when exists (select 1 from notification_batches b where ${isInBatch}) then 'pending' end, '') <> 'pending'`
