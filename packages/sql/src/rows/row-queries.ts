import { applyListQuery, toExpression } from '@sallyport/rest/kysely'
import type { CompiledQuery, Kysely } from 'kysely'
import type { ListQuery } from '@sallyport/rest'
import type { RowSearch } from './row-search.ts'
import { createSharedReads } from './shared-reads.ts'

export type Columns = Record<string, string | number | null>

/**
 * Creates a function that finds a row by the values of some columns. Queries are compiled once per set of columns, because
 * the compilation takes longer than the query.
 */
export function createRowFinder(
  db: Kysely<{ table: Columns }>,
  table: 'table',
): (key: Columns) => Promise<Columns | undefined> {
  const compiled = new Map<string, CompiledQuery>()

  function compile(columns: readonly string[]): CompiledQuery {
    const all = db.selectFrom(table).selectAll()
    return columns.reduce((select, column) => select.where(column, '=', ''), all).compile()
  }

  return async (key) => {
    const columns = Object.keys(key)
    const name = columns.join()
    const query = compiled.get(name) ?? compile(columns)
    compiled.set(name, query)
    const { rows } = await db.executeQuery<Columns>({ ...query, parameters: Object.values(key) })
    return rows[0]
  }
}

type Rows = Kysely<{ table: Columns }>

export interface RowListerOptions {
  /** The search of the database. @default `like`, without a concurrency limit */
  readonly search?: RowSearch
}

/**
 * Creates a function that lists rows with given values, and counts the total for numbered pages.
 * Queries over all rows are compiled once, because the compilation takes longer than the query of a short page.
 */
export function createRowLister(
  db: Rows,
  reads: Rows,
  table: 'table',
  { search }: RowListerOptions = {},
): (
  query: ListQuery,
  scope: Columns,
) => Promise<{ readonly rows: readonly Columns[]; readonly total: number }> {
  const sharedTotal = createSharedReads<number>()

  const containing = search === undefined ? {} : { contains: search.contains }
  const select = (on: Rows, scope: Columns) => on.selectFrom(table).where((where) => where.and(scope))

  const compileCount = (query: ListQuery, scope: Columns) =>
    select(db, scope)
      .where(toExpression(query.where, containing))
      .select((columns) => columns.fn.countAll<number>().as('total'))
      .compile()
  const compilePage = (query: ListQuery, scope: Columns) =>
    applyListQuery(select(getReads(query), scope).selectAll(), query, containing).compile()
  const getReads = (query: ListQuery) => (isShortPage(query) ? reads : db)
  const compiledCount = compiledOnce(compileCount)
  const compiledPage = compiledOnce(compilePage)

  async function countRows(query: ListQuery, scope: Columns): Promise<number> {
    const count = asksForAll(query, scope) ? compiledCount('', query, scope) : compileCount(query, scope)
    return await sharedTotal(JSON.stringify([count.sql, count.parameters]), async () => {
      const { rows } = await db.executeQuery(count)
      return Number(rows[0]?.total)
    })
  }

  async function createPage(query: ListQuery, scope: Columns): Promise<readonly Columns[]> {
    const { sort, pagination } = query
    const compiled =
      pagination.kind === 'offset' && asksForAll(query, scope)
        ? compiledPage(JSON.stringify([sort, pagination.limit, pagination.offset]), query, scope)
        : compilePage(query, scope)
    const { rows } = await getReads(query).executeQuery(compiled)
    return rows
  }

  async function list(query: ListQuery, scope: Columns) {
    const page = createPage(query, scope)
    if (query.pagination.kind === 'cursor') return { rows: await page, total: 0 }
    const [rows, total] = await Promise.all([page, countRows(query, scope)])
    return { rows, total }
  }

  /** Runs both statements in sequence, so that a search uses one connection. */
  async function find(query: ListQuery, scope: Columns) {
    const rows = await createPage(query, scope)
    return { rows, total: query.pagination.kind === 'cursor' ? 0 : await countRows(query, scope) }
  }

  return (query, scope) => {
    if (query.search === undefined || search === undefined) return list(query, scope)
    return search.run(() => find(query, scope))
  }
}

/** Reports whether a query has no filter and no search: its SQL is then the same for every client. */
function asksForAll({ where }: ListQuery, scope: Columns): boolean {
  return where.op === 'and' && where.of.length === 0 && Object.keys(scope).length === 0
}

/** The largest number of cached compiled queries. */
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

const shortPage = { maxRows: 25, maxOffset: 100 }

/**
 * Reports whether a page is cheap: few neighboring rows in the index of the default order, with a small offset. Filters and
 * searches may read all rows.
 */
function isShortPage({ where, sort, pagination }: ListQuery): boolean {
  const [first, last, ...others] = sort
  return (
    where.op === 'and' &&
    where.of.length === 0 &&
    first?.field === 'created_at' &&
    last?.field === 'id' &&
    first.direction === last.direction &&
    others.length === 0 &&
    pagination.limit <= shortPage.maxRows &&
    (pagination.kind === 'cursor' || pagination.offset <= shortPage.maxOffset)
  )
}
