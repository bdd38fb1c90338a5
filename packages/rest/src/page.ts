import type { CursorCodec } from './cursor.ts'
import { cursorEnvelope, type CursorEnvelope } from './envelope.ts'
import { positionOf, type CursorPlace } from './keyset.ts'
import type { ListQuery } from './list-query.ts'
import { allOf, matches, type Predicate } from './predicate.ts'
import { compareBy, reverseSort, type SortKey } from './sort.ts'

/** What a store has to fetch. */
export interface PageRequest {
  /** Filters, search and, for a cursor page, its side of the place. */
  readonly where: Predicate
  /** The order to fetch in; of a cursor page that is read backward, the reverse of the query's. */
  readonly sort: readonly SortKey[]
  readonly offset: number
  /** Of a cursor page one row more than is shown, which tells whether there are more. */
  readonly limit: number
}

/** The rows that a store has to fetch for a list query. */
export function pageRequest(query: ListQuery): PageRequest {
  const { pagination, where, sort } = query
  if (pagination.kind === 'offset') {
    return { where, sort, offset: pagination.offset, limit: pagination.limit }
  }
  return {
    where: allOf(where, pagination.ahead),
    sort: isBackward(pagination.place) ? reverseSort(sort) : sort,
    offset: 0,
    limit: pagination.limit + 1,
  }
}

/** The cursors of the pages around a cursor page, as `cursorLinks` takes them. */
export interface PageCursors {
  /** Absent when no rows stand before the page; those before a row that a cursor was made from are not looked for. */
  readonly prev?: string
  /** Absent when no rows follow the page. */
  readonly next?: string
  /** Of the last `limit` rows of the list. */
  readonly last: string
}

export interface CursorPageOptions {
  readonly cursors: CursorCodec
}

/**
 * The body of a cursor page, from the rows that were fetched for it: up to `limit` + 1 of them.
 *
 * The rows hold the sort keys under the names that `sort` uses; `map` turns a row into what is shown.
 *
 * @throws TypeError for a query of an offset page, for rows that {@link positionOf} refuses, and for sort values that are
 *   longer than the cursors' `maxLength` has room for
 *
 * @example
 * ```ts
 * import { createCursorCodec, cursorPage, defineListQuery } from '@sallyport/rest'
 *
 * const cursors = createCursorCodec({ keys: ['a secret of at least thirty-two bytes'] })
 * const events = defineListQuery({ sortable: ['id'], pagination: 'cursor' })
 * const query = events.parse('limit=1', { cursors })
 * const body = cursorPage([{ id: 1 }, { id: 2 }], query, { cursors })
 * body.data // [{ id: 1 }]
 * body.meta // { nextCursor: '…', hasMore: true }
 * ```
 */
export function cursorPage<R extends object, T = R>(
  rows: readonly R[],
  query: Pick<ListQuery, 'sort' | 'pagination'>,
  { map, ...options }: CursorPageOptions & { readonly map?: (row: R) => T },
): CursorEnvelope<T> {
  const { shown, follow, end, binding } = readPage(rows, query)
  // Without a map, T is R.
  const data = map === undefined ? (shown as readonly object[] as readonly T[]) : shown.map(map)
  return cursorEnvelope(data, { nextCursor: options.cursors.encode(end, binding), hasMore: follow })
}

/**
 * The cursors of the pages around a cursor page, from the rows that {@link cursorPage} takes.
 *
 * @throws TypeError as {@link cursorPage} does
 *
 * @example
 * ```ts
 * import { createCursorCodec, cursorLinks, defineListQuery, pageCursors } from '@sallyport/rest'
 *
 * const cursors = createCursorCodec({ keys: ['a secret of at least thirty-two bytes'] })
 * const events = defineListQuery({ sortable: ['id'], pagination: 'cursor' })
 * const query = events.parse('limit=1', { cursors })
 * const link = cursorLinks({ url: '/events', query: 'limit=1' }, pageCursors([{ id: 1 }, { id: 2 }], query, { cursors }))
 * ```
 */
export function pageCursors(
  rows: readonly object[],
  query: Pick<ListQuery, 'sort' | 'pagination'>,
  options: CursorPageOptions,
): PageCursors {
  const { precede, follow, begin, end, binding } = readPage(rows, query)
  const encode = (place: CursorPlace) => options.cursors.encode(place, binding)
  return {
    ...(precede && { prev: encode(begin) }),
    ...(follow && { next: encode(end) }),
    last: encode({ at: 'end' }),
  }
}

/** A cursor page in the order of its list, with what is known of the rows around it. */
function readPage<R extends object>(
  rows: readonly R[],
  { sort, pagination }: Pick<ListQuery, 'sort' | 'pagination'>,
) {
  if (pagination.kind !== 'cursor') throw new TypeError('This list query asks for an offset page')
  const { limit, place, binding } = pagination
  const backward = isBackward(place)
  const taken = rows.slice(0, limit)
  const shown = backward ? taken.toReversed() : taken
  const more = rows.length > limit
  // The row that the cursor was made from: looking whether it is still there would cost as much as the page.
  const others = 'position' in place
  const [first, last] = [shown.at(0), shown.at(-1)]
  return {
    shown,
    binding,
    precede: backward ? more : others,
    follow: backward ? others : more,
    // Where there is no row, the place stands for it: on the one side of it there is nothing, on the other everything.
    begin: first === undefined ? (backward ? place : listEnd) : beside('before', first, sort),
    end: last === undefined ? (backward ? listStart : place) : beside('after', last, sort),
  }
}

const listStart: CursorPlace = { at: 'start' }
const listEnd: CursorPlace = { at: 'end' }

function beside(at: 'after' | 'before', row: object, sort: readonly SortKey[]): CursorPlace {
  return { at, position: positionOf(row, sort) }
}

function isBackward({ at }: CursorPlace): boolean {
  return at === 'end' || at === 'before'
}

/**
 * Answers a list query from an array: the rows of the page (of a cursor page one more, as {@link cursorPage}
 * takes them), and the number of all that match.
 *
 * @example
 * ```ts
 * import { defineListQuery, offsetEnvelope, selectRows } from '@sallyport/rest'
 *
 * const names = defineListQuery({ sortable: ['id'], searchable: 'name', pagination: 'offset' })
 * const query = names.parse('search=ad')
 * const { rows, total } = selectRows([{ id: 1, name: 'Ada' }], query)
 * ```
 */
export function selectRows<R extends object>(
  rows: readonly R[],
  query: ListQuery,
): { readonly rows: readonly R[]; readonly total: number } {
  const { where, sort, offset, limit } = pageRequest(query)
  const found = rows.filter((row) => matches(where, row)).sort(compareBy(sort))
  const total =
    query.pagination.kind === 'offset' ? found.length : rows.filter((row) => matches(query.where, row)).length
  return { rows: found.slice(offset, offset + limit), total }
}

/**
 * A resource with exactly the fields that were asked for, or all of them.
 *
 * @example
 * ```ts
 * import { pickFields } from '@sallyport/rest'
 *
 * pickFields({ id: '1', name: 'Ada', role: 'user' }, ['id', 'name']) // { id: '1', name: 'Ada' }
 * ```
 */
export function pickFields<T extends object>(resource: T, fields: readonly string[] | undefined): Partial<T> {
  if (fields === undefined) return resource
  const wanted = Object.entries(resource).filter(([name]) => fields.includes(name))
  return Object.fromEntries(wanted) as Partial<T>
}
