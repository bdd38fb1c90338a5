import type { components } from '../api/schema.ts'

type Failure = components['schemas']['Failure']
type Status = Failure['status']

/** The failing events with one error, of all services and kinds. */
export interface Cause {
  readonly error: string | null
  /** The events by status, for the statuses that have some. */
  readonly events: Readonly<Partial<Record<Status, number>>>
  readonly groups: readonly Failure[]
  readonly firstReceivedAt: string
  readonly lastReceivedAt: string
  readonly newestDelivery: string
}

/** Joins groups with the same error, such as those of one outage of the bus: causes with dead events first, then the newest. */
export function findCauses(groups: readonly Failure[]): readonly Cause[] {
  const byError = Map.groupBy(groups, ({ error }) => error)
  return [...byError].map(([error, some]) => toCause(error, some)).sort(compare)
}

function toCause(error: string | null, groups: readonly Failure[]): Cause {
  const events: Partial<Record<Status, number>> = {}
  for (const { status, events: count } of groups) events[status] = (events[status] ?? 0) + count
  const byLast = groups.toSorted(
    (one, other) => Date.parse(other.last_received_at) - Date.parse(one.last_received_at),
  )
  const firsts = groups.map(({ first_received_at }) => Date.parse(first_received_at))
  return {
    ...{ error, events },
    groups: groups.toSorted((one, other) => other.events - one.events),
    firstReceivedAt: new Date(Math.min(...firsts)).toISOString(),
    lastReceivedAt: byLast[0]?.last_received_at ?? '',
    newestDelivery: byLast[0]?.newest_delivery_id ?? '',
  }
}

const compare = (one: Cause, other: Cause): number =>
  Number(other.events.dead !== undefined) - Number(one.events.dead !== undefined) ||
  Date.parse(other.lastReceivedAt) - Date.parse(one.lastReceivedAt)
