import { integerOption } from '@sallyport/internal/options'
import type { EndpointCount, EndpointCountsQuery } from '../ports/ports.ts'
import type { InboxStore } from './inbox-store.ts'

/** Counts the newest deliveries by endpoint, the endpoint with most deliveries first. */
export function countByEndpoint(
  store: InboxStore,
  { newest, limit }: EndpointCountsQuery,
): readonly EndpointCount[] {
  integerOption('newest', newest, 1)
  integerOption('limit', limit, 1)
  const deliveries = [...store.deliveries.values()]
    .sort((one, other) => other.sequence - one.sequence)
    .slice(0, newest)
  const counts = new Map<string, EndpointCount>()
  for (const { provider, endpoint, receivedAt } of deliveries) {
    if (endpoint === undefined) continue
    const known = counts.get(endpoint)
    counts.set(endpoint, {
      ...{ provider, endpoint },
      deliveries: (known?.deliveries ?? 0) + 1,
      lastReceivedAt: Math.max(known?.lastReceivedAt ?? 0, receivedAt),
    })
  }
  return [...counts.values()]
    .sort((one, other) => other.deliveries - one.deliveries || (one.endpoint < other.endpoint ? -1 : 1))
    .slice(0, limit)
}
