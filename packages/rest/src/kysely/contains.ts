import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { SqlListOptions } from './list-query.ts'

/** Whether a text contains another, in any case; a null text does not. */
export function containsExpression(
  text: RawBuilder<unknown>,
  value: string,
  form: NonNullable<SqlListOptions['contains']>,
): RawBuilder<SqlBool> {
  if (form === 'like') {
    const pattern = `%${value.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`lower(${text}) like lower(${pattern}) escape ${sql.lit('\\')}`
  }
  return sql`${positionFunctions[form]}(lower(${text}), lower(${value})) > 0`
}

const positionFunctions = { instr: sql`instr`, strpos: sql`strpos` } as const
