import { integerOption } from '@sallyport/internal/options'
import type { NewestCount, NewestCountsQuery } from '../ports/ports.ts'
import { getKind } from './inbox-filter.ts'
import type { Delivery, InboxStore, Item } from './inbox-store.ts'

interface Row {
  readonly group: Pick<NewestCount, 'provider' | 'kind' | 'endpoint'>
  readonly delivery: Delivery
  readonly latencyMs: number | undefined
}

/** Groups the newest events and counts their deliveries, the group with most deliveries first. */
export function countNewest(
  store: InboxStore,
  { by, newest, limit }: NewestCountsQuery,
): readonly NewestCount[] {
  integerOption('newest', newest, 1)
  integerOption('limit', limit, 1)
  const rows = [...store.deliveries.values()]
    .flatMap((delivery) => [...delivery.items].map((item) => ({ delivery, item })))
    .filter(({ item }) => item.record !== undefined)
    .sort((one, other) => other.item.order - one.item.order)
    .slice(0, newest)
    .flatMap(({ delivery, item }) => toRow(by, delivery, item))
  const groups = Map.groupBy(rows, ({ group }) => toName(group))
  return [...groups.values()]
    .flatMap(toCount)
    .sort((one, other) => other.deliveries - one.deliveries || (toName(one) < toName(other) ? -1 : 1))
    .slice(0, limit)
}

const toName = ({ provider, kind = '', endpoint = '' }: Row['group']): string =>
  `${provider}\0${kind}\0${endpoint}`

function toRow(by: NewestCountsQuery['by'], delivery: Delivery, item: Item): Row[] {
  const { provider, endpoint, receivedAt } = delivery
  if (item.record === undefined || (by === 'endpoint' && endpoint === undefined)) return []
  return [
    {
      delivery,
      group: {
        provider,
        ...(by === 'kind' && { kind: getKind(item.record.event) }),
        ...(by === 'endpoint' && endpoint !== undefined && { endpoint }),
      },
      latencyMs: item.publication && Math.max(0, item.publication.at - receivedAt),
    },
  ]
}

function toCount(rows: readonly Row[]): NewestCount[] {
  const [first] = rows
  if (first === undefined) return []
  const times = rows.map(({ delivery }) => delivery.receivedAt)
  const latencies = rows.flatMap(({ latencyMs }) => latencyMs ?? []).sort((one, other) => one - other)
  const latencyMs = latencies[Math.ceil(latencies.length / 2) - 1]
  return [
    {
      ...first.group,
      deliveries: new Set(rows.map(({ delivery }) => delivery)).size,
      firstReceivedAt: Math.min(...times),
      lastReceivedAt: Math.max(...times),
      ...(latencyMs !== undefined && { latencyMs }),
    },
  ]
}
