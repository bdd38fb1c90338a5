import type { CompiledQuery, Kysely } from 'kysely'

export type Columns = Record<string, string | number | null>

/**
 * Finds a row of a table by the values of some of its columns. What is asked is compiled once for each set of columns,
 * which takes longer than asking it.
 */
export function rowFinder(
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
