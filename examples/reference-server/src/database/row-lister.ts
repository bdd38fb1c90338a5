import type { ListQuery } from '@sallyport/rest'
import { applyListQuery, toExpression } from '@sallyport/rest/kysely'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Columns } from './row-finder.ts'
import type { Search } from './search.ts'
import { sharedReads } from './shared-reads.ts'
import { isShortPage } from './short-page.ts'

type Rows = Kysely<{ table: Columns }>

export interface RowListerOptions {
  /** How searches are made. @default by what every database has, and as many at once as are asked for */
  readonly search?: Search
}

/**
 * Pages of a table's rows that have certain values in some of its columns, and of pages by number the total.
 *
 * What is asked of all rows is compiled once, which takes longer than to ask for a short page.
 */
export function rowLister(
  db: Rows,
  reads: Rows,
  table: 'table',
  { search }: RowListerOptions = {},
): (
  query: ListQuery,
  scope: Columns,
) => Promise<{ readonly rows: readonly Columns[]; readonly total: number }> {
  const sharedTotal = sharedReads<number>()

  const containing = search === undefined ? {} : { contains: search.contains }
  const select = (on: Rows, scope: Columns) => on.selectFrom(table).where((where) => where.and(scope))

  const compileCount = (query: ListQuery, scope: Columns) =>
    select(db, scope)
      .where(toExpression(query.where, containing))
      .select((columns) => columns.fn.countAll<number>().as('total'))
      .compile()
  const compilePage = (query: ListQuery, scope: Columns) =>
    applyListQuery(select(readsOf(query), scope).selectAll(), query, containing).compile()
  const readsOf = (query: ListQuery) => (isShortPage(query) ? reads : db)
  const compiledCount = compiledOnce(compileCount)
  const compiledPage = compiledOnce(compilePage)

  async function countOf(query: ListQuery, scope: Columns): Promise<number> {
    const count = asksForAll(query, scope) ? compiledCount('', query, scope) : compileCount(query, scope)
    return await sharedTotal(JSON.stringify([count.sql, count.parameters]), async () => {
      const { rows } = await db.executeQuery(count)
      return Number(rows[0]?.total)
    })
  }

  async function pageOf(query: ListQuery, scope: Columns): Promise<readonly Columns[]> {
    const { sort, pagination } = query
    const compiled =
      pagination.kind === 'offset' && asksForAll(query, scope)
        ? compiledPage(JSON.stringify([sort, pagination.limit, pagination.offset]), query, scope)
        : compilePage(query, scope)
    const { rows } = await readsOf(query).executeQuery(compiled)
    return rows
  }

  async function list(query: ListQuery, scope: Columns) {
    const page = pageOf(query, scope)
    if (query.pagination.kind === 'cursor') return { rows: await page, total: 0 }
    const [rows, total] = await Promise.all([page, countOf(query, scope)])
    return { rows, total }
  }

  /** One statement after the other: a search is not to keep others from more than one connection. */
  async function find(query: ListQuery, scope: Columns) {
    const rows = await pageOf(query, scope)
    return { rows, total: query.pagination.kind === 'cursor' ? 0 : await countOf(query, scope) }
  }

  return (query, scope) => {
    if (query.search === undefined || search === undefined) return list(query, scope)
    return search.inTurn(() => find(query, scope))
  }
}

/** Whether rows are neither filtered nor searched: everybody who asks for the same page then asks the same. */
function asksForAll({ where }: ListQuery, scope: Columns): boolean {
  return where.op === 'and' && where.of.length === 0 && Object.keys(scope).length === 0
}

/** More than the first pages of any size; what is asked for beyond that is compiled again. */
const maxCompiled = 256

function compiledOnce<Row>(
  compile: (query: ListQuery, scope: Columns) => CompiledQuery<Row>,
): (key: string, query: ListQuery, scope: Columns) => CompiledQuery<Row> {
  const compiled = new Map<string, CompiledQuery<Row>>()
  return (key, query, scope) => {
    const known = compiled.get(key)
    if (known !== undefined) return known
    if (compiled.size >= maxCompiled) compiled.clear()
    const made = compile(query, scope)
    compiled.set(key, made)
    return made
  }
}
