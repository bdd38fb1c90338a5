/** The largest `page` × `limit` of a list, unless told otherwise. */
export const defaultMaxOffset = 10_000_000

/** The last page that a list answers, however many there are. */
export function lastReadablePage(limit: number, maxOffset: number): number {
  return Math.floor(maxOffset / limit)
}
