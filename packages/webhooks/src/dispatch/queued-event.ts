import type { WebhookEvent } from '../ports/event.ts'

/** Matches the time at the start of the id of a queued event. The name of a provider has no `@`. */
const queuedId = /^(\d{1,16})@/

/**
 * Returns the event as it is in the shared queue. Its id begins with the time at which the event was first due: a bus that
 * deduplicates stores the event again after a replay, and not when it is enqueued again.
 */
export const toQueued = (event: WebhookEvent, since: number): WebhookEvent => ({
  ...event,
  id: `${since}@${event.id}`,
})

/** Returns the event with its own id, and when it was first due; now for an event that no dispatcher enqueued. */
export function fromQueued(
  event: WebhookEvent,
  now: number,
): { readonly event: WebhookEvent; readonly since: number } {
  const [start = '', since] = queuedId.exec(event.id) ?? []
  return {
    event: { ...event, id: event.id.slice(start.length) },
    since: since === undefined ? now : Number(since),
  }
}
