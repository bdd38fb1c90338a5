import type { CursorCodec } from './cursor.ts'
import { cursorEnvelope, type CursorEnvelope } from './envelope.ts'
import { getCursorPosition, type CursorAnchor } from './keyset.ts'
import type { ListQuery } from './list-query.ts'
import { andPredicates, matchesPredicate, type Predicate } from './predicate.ts'
import { compareRowsBy, reverseSort, type SortKey } from './sort.ts'

/** The rows that a store fetches for one page. */
export interface PageRequest {
  /** ListFilters, search and, for a cursor page, the condition of its anchor. */
  readonly where: Predicate
  /** The order to fetch in; for a cursor page that is read backward, the reverse of the query's sort. */
  readonly sort: readonly SortKey[]
  readonly offset: number
  /** For a cursor page, one row more than the page shows, to detect further rows. */
  readonly limit: number
}

/** Converts a list query to the request for a store. */
export function toPageRequest(query: ListQuery): PageRequest {
  const { pagination, where, sort } = query
  if (pagination.kind === 'offset') {
    return { where, sort, offset: pagination.offset, limit: pagination.limit }
  }
  return {
    where: andPredicates(where, pagination.ahead),
    sort: isBackward(pagination.anchor) ? reverseSort(sort) : sort,
    offset: 0,
    limit: pagination.limit + 1,
  }
}

/** The cursors of the pages around a cursor page, for `formatCursorLinks`. */
export interface PageCursors {
  /** Absent when no rows precede the page. After a cursor of a row, preceding rows are assumed. */
  readonly prev?: string
  /** Absent when no rows follow the page. */
  readonly next?: string
  /** The cursor of the last `limit` rows of the list. */
  readonly last: string
}

export interface CursorPageOptions {
  readonly cursors: CursorCodec
}

/**
 * Wraps the rows fetched for a cursor page, up to `limit` + 1, in `{ data, meta }`.
 *
 * The rows hold the sort keys under the names that `sort` uses. `map` converts a row to its representation.
 *
 * @throws TypeError for a query of an offset page, for rows without a valid position, and for sort values that exceed
 *   `maxLength` of the cursor codec
 */
export function cursorPage<R extends object, T = R>(
  rows: readonly R[],
  query: Pick<ListQuery, 'sort' | 'pagination'>,
  { map, ...options }: CursorPageOptions & { readonly map?: (row: R) => T },
): CursorEnvelope<T> {
  const { shown, follow, end, binding } = readPage(rows, query)
  // Without map, T is R.
  const data = map === undefined ? (shown as readonly object[] as readonly T[]) : shown.map(map)
  return cursorEnvelope(data, { nextCursor: options.cursors.encode(end, binding), hasMore: follow })
}

/**
 * Creates the cursors of the pages around a cursor page from the rows that {@link cursorPage} takes.
 *
 * @throws TypeError as {@link cursorPage} does
 */
export function getPageCursors(
  rows: readonly object[],
  query: Pick<ListQuery, 'sort' | 'pagination'>,
  options: CursorPageOptions,
): PageCursors {
  const { precede, follow, begin, end, binding } = readPage(rows, query)
  const encode = (anchor: CursorAnchor) => options.cursors.encode(anchor, binding)
  return {
    ...(precede && { prev: encode(begin) }),
    ...(follow && { next: encode(end) }),
    last: encode({ at: 'end' }),
  }
}

/** Reads a cursor page in the order of its list, and whether rows precede and follow it. */
function readPage<R extends object>(
  rows: readonly R[],
  { sort, pagination }: Pick<ListQuery, 'sort' | 'pagination'>,
) {
  if (pagination.kind !== 'cursor') throw new TypeError('The list query requests an offset page')
  const { limit, anchor, binding } = pagination
  const backward = isBackward(anchor)
  const taken = rows.slice(0, limit)
  const shown = backward ? taken.toReversed() : taken
  const more = rows.length > limit
  // The row of the cursor counts as present: checking it would cost as much as the page.
  const others = 'position' in anchor
  const [first, last] = [shown.at(0), shown.at(-1)]
  return {
    shown,
    binding,
    precede: backward ? more : others,
    follow: backward ? others : more,
    // An empty page has no rows to anchor at: one side is the end of the list, the other the anchor itself.
    begin: first === undefined ? (backward ? anchor : listEnd) : anchorAt('before', first, sort),
    end: last === undefined ? (backward ? listStart : anchor) : anchorAt('after', last, sort),
  }
}

const listStart: CursorAnchor = { at: 'start' }
const listEnd: CursorAnchor = { at: 'end' }

function anchorAt(at: 'after' | 'before', row: object, sort: readonly SortKey[]): CursorAnchor {
  return { at, position: getCursorPosition(row, sort) }
}

function isBackward({ at }: CursorAnchor): boolean {
  return at === 'end' || at === 'before'
}

/**
 * Answers a list query from an array: the rows of the page (for a cursor page one more, as {@link cursorPage}
 * expects) and the total number of matching rows.
 */
export function selectRows<R extends object>(
  rows: readonly R[],
  query: ListQuery,
): { readonly rows: readonly R[]; readonly total: number } {
  const { where, sort, offset, limit } = toPageRequest(query)
  const found = rows.filter((row) => matchesPredicate(where, row)).sort(compareRowsBy(sort))
  const total =
    query.pagination.kind === 'offset'
      ? found.length
      : rows.filter((row) => matchesPredicate(query.where, row)).length
  return { rows: found.slice(offset, offset + limit), total }
}

/** Picks the requested fields of a resource; all fields when none are requested. */
export function pickFields<T extends object>(resource: T, fields: readonly string[] | undefined): Partial<T> {
  if (fields === undefined) return resource
  const wanted = Object.entries(resource).filter(([name]) => fields.includes(name))
  return Object.fromEntries(wanted) as Partial<T>
}

/** The default of the largest `page` × `limit`. */
export const defaultMaxOffset = 10_000_000

/** The largest page number that `maxOffset` allows. */
export function lastReadablePage(limit: number, maxOffset: number): number {
  return Math.floor(maxOffset / limit)
}
