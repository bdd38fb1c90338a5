import { integerOption } from '@sallyport/internal/options'
import type { FailureGroup, FailureGroups, FailureQuery } from '../ports/ports.ts'
import { getKind, getLastError } from './inbox-filter.ts'
import type { Delivery, InboxStore, Item } from './inbox-store.ts'

interface FailingEvent extends Pick<FailureGroup, 'status' | 'kind' | 'error'> {
  readonly delivery: Delivery
}

/** Groups the newest failing events by status, provider, kind and last error. */
export function groupFailures(
  store: InboxStore,
  { status, provider, endpoint, limit }: FailureQuery,
): FailureGroups {
  integerOption('limit', limit, 1)
  const failing = [...store.deliveries.values()]
    .flatMap((delivery) => [...delivery.items].flatMap((item) => toFailingEvent(delivery, item)))
    .filter((event) => status === undefined || event.status === status)
    .sort(({ delivery: a }, { delivery: b }) => b.receivedAt - a.receivedAt || b.sequence - a.sequence)
  const matching = failing
    .slice(0, limit)
    .filter(({ delivery }) => provider === undefined || delivery.provider === provider)
    .filter(({ delivery }) => endpoint === undefined || delivery.endpoint === endpoint)

  const groups = new Map<string, FailureGroup>()
  for (const event of matching) {
    const key = JSON.stringify([event.status, event.delivery.provider, event.kind, event.error])
    groups.set(key, addToGroup(groups.get(key), event))
  }
  return { groups: [...groups.values()], truncated: failing.length > limit }
}

function toFailingEvent(delivery: Delivery, item: Item): FailingEvent[] {
  const { status, record, publishing } = item
  if (record === undefined || status === 'published' || publishing.attempts === 0) return []
  const error = getLastError(item)
  return [{ status, kind: getKind(record.event), ...(error !== undefined && { error }), delivery }]
}

/** Adds an event that is not newer than the events of the group. */
function addToGroup(
  group: FailureGroup | undefined,
  { delivery: { id, provider, receivedAt }, ...facts }: FailingEvent,
): FailureGroup {
  const { events, ...rest } = group ?? {
    ...{ ...facts, provider, events: 0 },
    ...{ lastReceivedAt: receivedAt, newestDelivery: id },
  }
  return { ...rest, events: events + 1, firstReceivedAt: receivedAt }
}
