import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

/** A page of a list by cursor. */
interface Page<Item> {
  readonly data: readonly Item[]
  readonly meta: object
}

/** Reads a list by cursor, page by page. At most 20 pages are in memory. */
export function useList<Item>(options: {
  readonly key: readonly unknown[]
  readonly load: (cursor: string, signal: AbortSignal) => Promise<Page<Item>>
  /** The interval in milliseconds in which the first page is read again. @default never */
  readonly refreshMs?: number
}) {
  const { key, load, refreshMs } = options
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => {
      const { hasMore, nextCursor } = meta as { readonly hasMore?: boolean; readonly nextCursor?: string }
      return hasMore === true ? nextCursor : undefined
    },
    maxPages: 20,
    refetchInterval: ({ state }) =>
      refreshMs !== undefined && (state.data?.pages.length ?? 0) <= 1 ? refreshMs : false,
  })
  const items = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data])
  return { ...query, items }
}
