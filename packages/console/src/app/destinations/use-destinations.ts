import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'

/** Reads the destinations again every few seconds. */
export const useDestinations = () =>
  useQuery({
    queryKey: ['destinations'],
    queryFn: ({ signal }) => unwrap(api.GET('/destinations', { signal })),
    refetchInterval: 5000,
  })
