import { useDeliveryCounts, useProviders, type DeliveryCount } from '../api/delivery-counts.ts'
import type { Choice } from '../ui/fields.tsx'
import { formatCount } from '../ui/format.ts'
import type { DeliveryFilter } from './delivery-filters.ts'
import type { Filters } from './use-filters.ts'

const none: readonly DeliveryCount[] = []

/** Returns the values of recent deliveries for a filter, the most frequent first, with their numbers. */
export function usePicks(picks: DeliveryFilter['picks'], { provider }: Filters): readonly Choice[] {
  const groups = useDeliveryCounts(picks).data?.data.groups ?? none
  const providers = useProviders().data?.data ?? []
  switch (picks) {
    case 'provider': {
      const registered = providers.filter((one) => one.registered).map(({ name }) => name)
      const unseen = registered.filter((name) => !groups.some((group) => group.provider === name))
      return [
        ...groups.map((group) => ({ id: group.provider, label: addCount(group.provider, group.deliveries) })),
        ...unseen.sort().map((id) => ({ id, label: id })),
      ]
    }
    case 'kind': {
      const counts = new Map<string, number>()
      for (const { kind, deliveries, ...group } of groups)
        if (kind !== null && (provider === undefined || group.provider === provider))
          counts.set(kind, (counts.get(kind) ?? 0) + deliveries)
      return [...counts].map(([id, count]) => ({ id, label: addCount(id, count) }))
    }
    case 'endpoint':
      return groups
        .filter((group) => provider === undefined || group.provider === provider)
        .map(({ endpoint, endpoint_name: name, deliveries }) => {
          return { id: endpoint ?? '', label: addCount(name ?? endpoint ?? '', deliveries) }
        })
    case undefined:
      return []
  }
}

const addCount = (text: string, count: number): string => `${text} (${formatCount(count)})`
