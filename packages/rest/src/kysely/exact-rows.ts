import { sql, type Expression, type SelectQueryBuilder } from 'kysely'
import { exactValues } from '../keyset.ts'

/** Unchanged by plugins that convert the case of names. */
const alias = 'sallyportcursor'

/** Whether a select is for PostgreSQL, the only database whose parameters are numbered with a dollar sign. */
export function isPostgres<DB, TB extends keyof DB, O>(select: SelectQueryBuilder<DB, TB, O>): boolean {
  const compiled = select.select(sql`${1}`.as(alias)).compile()
  return compiled.sql.includes(`$${compiled.parameters.length}`)
}

/**
 * Loads rows with the exact values of some fields. The driver of PostgreSQL rounds times to milliseconds, and returns `NaN`
 * and `Infinity` as numbers that JSON does not have; as text, PostgreSQL reads each value of its types again.
 */
export async function selectExactRows<DB, TB extends keyof DB, O>(
  select: SelectQueryBuilder<DB, TB, O>,
  columns: Readonly<Record<string, Expression<unknown>>>,
): Promise<readonly O[]> {
  const fields = Object.keys(columns)
  const texts = Object.values(columns).map((column) => sql`cast(${column} as text)`)
  const exact = sql<readonly (string | null)[]>`json_build_array(${sql.join(texts)})`.as(alias)
  const rows = await select.select(exact).$castTo<O & { [alias]: readonly (string | null)[] }>().execute()
  return rows.map(({ [alias]: values, ...row }) => {
    const exactByField = Object.fromEntries(fields.map((field, index) => [field, values[index] ?? null]))
    return Object.assign(row, { [exactValues]: exactByField }) as O
  })
}
