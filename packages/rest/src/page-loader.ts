import type { LoadList } from './answer-list.ts'
import { toPageRequest, type PageRequest } from './page.ts'
import type { Predicate } from './predicate.ts'

/** The two functions of a store that a list needs. */
export interface PageSource<Row> {
  readonly find: (page: PageRequest) => Promise<readonly Row[]>
  /** Counts the rows of all pages. Called for offset pages, unless the page is the last. */
  readonly count: (where: Predicate) => Promise<number>
}

/**
 * Creates a function that loads the rows for a list query from a store, for `answerList`.
 *
 * @example
 * ```ts
 * import { compareRowsBy, createPageLoader, matchesPredicate } from '@sallyport/rest/store'
 *
 * const notes = [{ id: 1 }, { id: 2 }]
 * const load = createPageLoader({
 *   find: async ({ where, sort, offset, limit }) => {
 *     const found = notes.filter((note) => matchesPredicate(where, note))
 *     return found.sort(compareRowsBy(sort)).slice(offset, offset + limit)
 *   },
 *   count: async (where) => notes.filter((note) => matchesPredicate(where, note)).length,
 * })
 * ```
 */
export function createPageLoader<Row>({ find, count }: PageSource<Row>): LoadList<Row> {
  return async (query) => {
    const rows = await find(toPageRequest(query))
    const { pagination, where } = query
    if (pagination.kind === 'cursor') return { rows }
    const { offset, limit } = pagination
    const isLast = rows.length < limit && (rows.length > 0 || offset === 0)
    return { rows, total: isLast ? offset + rows.length : await count(where) }
  }
}
