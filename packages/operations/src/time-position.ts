import type { ListQuery } from '@sallyport/rest'

/** The part of a list in the order of times and ids that a page needs. */
interface TimePage {
  readonly order: 'newest' | 'oldest'
  readonly after?: { readonly createdAt: number; readonly id: string }
  readonly offset?: number
  readonly limit: number
}

/** Converts the page and the sort of a list query for a store that orders by time and id. */
export function getTimePosition({ pagination, sort }: ListQuery): TimePage {
  const newestFirst = sort[0]?.direction === 'desc'
  if (pagination.kind === 'offset') {
    const { offset, limit } = pagination
    return { order: newestFirst ? 'newest' : 'oldest', offset, limit }
  }
  const { anchor, limit } = pagination
  const isBackward = anchor.at === 'end' || anchor.at === 'before'
  return {
    order: newestFirst === isBackward ? 'oldest' : 'newest',
    ...('position' in anchor && {
      after: { createdAt: Number(anchor.position[0]), id: String(anchor.position[1]) },
    }),
    limit: limit + 1,
  }
}
