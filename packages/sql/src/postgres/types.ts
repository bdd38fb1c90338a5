import pg from 'pg'

/**
 * Reads `bigint`, and so `count(*)`, as a number, as SQLite does.
 *
 * A number that would lose digits fails its query: a wrong number is worse than none. Cast what may be that large to
 * `text`.
 */
export function createTypeOverrides(): pg.TypeOverrides {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
    const value = Number(text)
    if (Number.isSafeInteger(value)) return value
    throw new RangeError('A bigint is too large for a number; cast it to text')
  })
  return types
}
