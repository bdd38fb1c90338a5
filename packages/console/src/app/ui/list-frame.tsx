import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorNotice, Loading } from './notice.tsx'

/** A list with its states: loading, failed, empty, and with more pages. */
export function ListFrame({
  list,
  empty,
  children,
  end,
}: {
  readonly list: {
    readonly isPending: boolean
    readonly isError: boolean
    readonly error: unknown
    readonly items: readonly unknown[]
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
    readonly refetch: () => Promise<unknown>
  }
  readonly empty: ReactNode
  readonly children: ReactNode
  /** The text below the last item. */
  readonly end?: string
}) {
  if (list.isPending) return <Loading />
  if (list.isError && list.items.length === 0)
    return <ErrorNotice error={list.error} onRetry={list.refetch} />
  if (list.items.length === 0) return empty
  return (
    <>
      {list.isError && <ErrorNotice error={list.error} onRetry={list.refetch} />}
      {children}
      <div className="list-foot">
        {list.hasNextPage ? (
          <Button isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {list.isFetchingNextPage ? 'Loading…' : 'Show more'}
          </Button>
        ) : (
          end !== undefined && <p className="muted">{end}</p>
        )}
      </div>
    </>
  )
}
