import { skipToken, useQuery } from '@tanstack/react-query'
import { api, unwrap, type Schemas } from './client.ts'
import { useFeatures } from './features.tsx'

export type DeliveryCount = Schemas['DeliveryStatistics']['groups'][number]

/** Reads the numbers of deliveries of the newest 10,000 events; no groups without an API that has them. */
export function useDeliveryCounts(
  by: 'provider' | 'kind' | 'endpoint' | undefined,
  options: { readonly limit?: number; readonly refreshMs?: number } = {},
) {
  const { has } = useFeatures()
  const { limit = 500, refreshMs } = options
  return useQuery({
    queryKey: ['statistics', 'deliveries', by, limit],
    queryFn:
      by !== undefined && has('getDeliveryStatistics')
        ? ({ signal }) =>
            unwrap(api.GET('/statistics/deliveries', { params: { query: { by, limit } }, signal }))
        : skipToken,
    staleTime: refreshMs ?? 60_000,
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  })
}

/** Reads the providers of the catalogue. */
export function useProviders() {
  const { has } = useFeatures()
  return useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => unwrap(api.GET('/providers', { signal })),
    enabled: has('listProviders'),
    staleTime: 60_000,
  })
}
