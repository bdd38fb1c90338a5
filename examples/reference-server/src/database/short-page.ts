import type { ListQuery } from '@sallyport/rest'

const most = { rows: 25, passedOver: 100 }

/**
 * Whether a page costs little: its rows are few, neighbours in the index of the default order, and hardly any are passed
 * over on the way to them. Filters and searches may pass over all.
 */
export function isShortPage({ where, sort, pagination }: ListQuery): boolean {
  const [first, last, ...others] = sort
  return (
    where.op === 'and' &&
    where.of.length === 0 &&
    first?.field === 'created_at' &&
    last?.field === 'id' &&
    first.direction === last.direction &&
    others.length === 0 &&
    pagination.limit <= most.rows &&
    (pagination.kind === 'cursor' || pagination.offset <= most.passedOver)
  )
}
