import pg from 'pg'

/**
 * Reads `bigint`, and so `count(*)`, as a number, as SQLite does.
 *
 * A value outside the safe range fails its query. Cast such a value to `text`.
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
