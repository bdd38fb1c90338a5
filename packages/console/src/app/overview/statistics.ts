import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'

export const windows = ['1h', '24h', '7d'] as const
export type Window = (typeof windows)[number]

/** The query of the requests by provider and outcome, which the parts of the overview share. */
export const statisticsQuery = (window: Window) =>
  queryOptions({
    queryKey: ['statistics', window],
    queryFn: ({ signal }) => unwrap(api.GET('/statistics', { params: { query: { window } }, signal })),
    refetchInterval: 10_000,
    placeholderData: (previous) => previous,
  })
