import type { ListQuery } from '@sallyport/rest'
import { applyListQuery, toExpression } from '@sallyport/rest/kysely'
import type { Kysely } from 'kysely'
import type { Columns } from './row-finder.ts'
import { sharedReads } from './shared-reads.ts'
import { isShortPage } from './short-page.ts'

type Rows = Kysely<{ table: Columns }>

/** Pages of a table's rows that have certain values in some of its columns, and of pages by number the total. */
export function rowLister(
  db: Rows,
  reads: Rows,
  table: 'table',
): (
  query: ListQuery,
  scope: Columns,
) => Promise<{ readonly rows: readonly Columns[]; readonly total: number }> {
  const sharedTotal = sharedReads<number>()

  const select = (on: Rows, scope: Columns) => on.selectFrom(table).where((where) => where.and(scope))

  async function countOf(query: ListQuery, scope: Columns): Promise<number> {
    const matching = select(db, scope).where(toExpression(query.where))
    const count = matching.select((columns) => columns.fn.countAll<number>().as('total')).compile()
    return await sharedTotal(JSON.stringify([count.sql, count.parameters]), async () => {
      const { rows } = await db.executeQuery(count)
      return Number(rows[0]?.total)
    })
  }

  return async (query, scope) => {
    const on = isShortPage(query) ? reads : db
    const page = applyListQuery(select(on, scope).selectAll(), query).execute()
    if (query.pagination.kind === 'cursor') return { rows: await page, total: 0 }
    const [rows, total] = await Promise.all([page, countOf(query, scope)])
    return { rows, total }
  }
}
