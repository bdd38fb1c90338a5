/** A page of a list, by a time and then by id. */
export interface PageQuery<Time extends string> {
  /** @default 'newest' */
  readonly order?: 'newest' | 'oldest' | undefined
  /** Only items after this position. */
  readonly after?: Position<Time> | undefined
  /** @default 0 */
  readonly offset?: number | undefined
  readonly limit: number
}

type Position<Time extends string> = Readonly<Record<Time, number>> & { readonly id: string }

/** Returns a page of items in memory. */
export function pageOf<Time extends string, Item extends Position<Time>>(
  items: readonly Item[],
  time: Time,
  { order = 'newest', after, offset = 0, limit }: PageQuery<Time>,
): readonly Item[] {
  const sign = order === 'newest' ? -1 : 1
  const compare = (one: Position<Time>, other: Position<Time>) =>
    sign * (one[time] - other[time] || (one.id < other.id ? -1 : Number(one.id > other.id)))
  return items
    .filter((item) => after === undefined || compare(item, after) > 0)
    .sort(compare)
    .slice(offset, offset + limit)
}
