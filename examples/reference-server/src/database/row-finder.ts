import type { CompiledQuery, Kysely } from 'kysely'

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
