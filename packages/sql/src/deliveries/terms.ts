// Terms of SQL in which a delivery is `d`, for statements of the worker threads too, which import little.

/** The events of a delivery, by way of the index; `e` has one of these statuses. */
export const eventsOfDelivery = (...statuses: readonly string[]): string =>
  `e.provider = d.provider and e.status in (${statuses.map((status) => `'${status}'`).join()})
     and e.received_at = d.received_at and e.delivery = d.sequence`

export const allEvents = eventsOfDelivery('pending', 'queued', 'published', 'dead')

/** Whether what is kept with a delivery may still be needed. */
export const isUnfinished = `(coalesce(d.eventless, '') = 'quarantined'
  or exists (select 1 from events e where ${eventsOfDelivery('pending', 'queued', 'dead')}))`

/** Whether a delivery has no events and nothing can be made of it any more. */
export const isEmpty = `(d.eventless is null or d.eventless = 'resolved' or d.erased_at is not null)
  and not exists (select 1 from events e where ${allEvents})`

/**
 * Whether an event `e` is published, and whatever it owed has ended.
 *
 * The status is compared outside of the subquery: within it, the index of what is pending could be read from end to end
 * for each event, where the planner believes that little is.
 */
export const isEnded = `e.status = 'published'
  and coalesce((select n.status from notifications n where n.event = e.sequence), '') <> 'pending'`
