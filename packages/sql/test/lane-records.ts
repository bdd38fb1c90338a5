import type { ClaimedLane, DeliveryRecord, DispatcherInbox, Settlement } from '@sallyport/webhooks'
import { getDelivery } from './records.ts'

/** A delivery of events with these ids, each with the name of its lane. */
export function laneDelivery(
  events: readonly (readonly [id: string, lane: string])[],
  isOrdered = true,
): DeliveryRecord {
  const delivery = getDelivery(events[0]?.[0] ?? '')
  const [first] = delivery.events
  return {
    ...delivery,
    events: events.map(([id, name]) => ({
      ...first!,
      event: { ...first!.event, id },
      lane: { name, isOrdered },
    })),
  }
}

/** The operations on lanes of an inbox that has them. */
export type LaneInbox = Required<Pick<DispatcherInbox, 'claimLanes' | 'settleLanes' | 'renew'>>

export const laneIds = (lanes: readonly ClaimedLane[]): Record<string, string[]> =>
  Object.fromEntries(lanes.map(({ name, works }) => [name, works.map(({ event }) => event.id)]))

/** Settles all claimed events of lanes with one outcome, and releases the lanes. */
export const endLanes = (
  inbox: LaneInbox,
  lanes: readonly ClaimedLane[],
  outcome: Settlement['outcome'] = { status: 'done' },
) =>
  inbox.settleLanes(
    lanes.map(({ name, lease, works }) => ({
      name,
      lease,
      settlements: works.map(({ event }) => ({ id: event.id, lease, outcome })),
      releases: true,
    })),
  )
