import { readRow } from '@sallyport/internal/destination-row'
import { integerOption } from '@sallyport/internal/options'
import { isOfEndpoint } from '../ports/of-endpoint.ts'
import type { FailureGroup, FailureGroups, FailureQuery } from '../ports/ports.ts'
import { getKind, getLastError } from './inbox-filter.ts'
import type { Delivery, InboxStore, Item } from './inbox-store.ts'

interface FailingEvent extends Pick<FailureGroup, 'status' | 'kind' | 'error' | 'destination'> {
  readonly delivery: Delivery
}

/** Groups the newest failing events by status, provider, kind and last error. */
export function groupFailures(
  store: InboxStore,
  { status, provider, limit, ...of }: FailureQuery,
): FailureGroups {
  integerOption('limit', limit, 1)
  const failing = [...store.deliveries.values()]
    .flatMap((delivery) => [...delivery.items].flatMap((item) => toFailingEvent(delivery, item)))
    .filter((event) => status === undefined || event.status === status)
    .sort(({ delivery: a }, { delivery: b }) => b.receivedAt - a.receivedAt || b.sequence - a.sequence)
  const matching = failing
    .slice(0, limit)
    .filter(({ delivery }) => provider === undefined || delivery.provider === provider)
    .filter(({ delivery }) => isOfEndpoint(delivery.endpoint, of))

  const groups = Map.groupBy(matching, ({ status: one, delivery, kind, error, destination }) =>
    JSON.stringify([one, delivery.provider, kind, error, destination]),
  )
  return { groups: [...groups.values()].flatMap(toGroup), truncated: failing.length > limit }
}

function toFailingEvent(delivery: Delivery, item: Item): FailingEvent[] {
  const { status, record, publishing } = item
  if (record === undefined || status === 'published' || publishing.attempts === 0) return []
  const error = getLastError(item)
  const { destination } = readRow(item.key)
  return [
    {
      ...{ status, kind: getKind(record.event), delivery },
      ...(error !== undefined && { error }),
      ...(destination !== undefined && { destination }),
    },
  ]
}

/** Summarizes the events of a group, newest first. */
function toGroup(events: readonly FailingEvent[]): FailureGroup[] {
  const [newest, oldest] = [events[0], events.at(-1)]
  if (newest === undefined || oldest === undefined) return []
  const { delivery, ...facts } = newest
  const endpoints = new Set(events.flatMap((event) => event.delivery.endpoint ?? []))
  return [
    {
      ...facts,
      provider: delivery.provider,
      events: events.length,
      firstReceivedAt: oldest.delivery.receivedAt,
      lastReceivedAt: delivery.receivedAt,
      newestDelivery: delivery.id,
      ...(delivery.endpoint !== undefined && { newestEndpoint: delivery.endpoint }),
      endpoints: endpoints.size,
    },
  ]
}
