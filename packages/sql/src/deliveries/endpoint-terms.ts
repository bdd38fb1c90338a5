import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { escapeText } from '../internal/text.ts'
import { plainTerm } from './event-terms.ts'

/** Creates the terms of the endpoints of a filter, which no index has; `endpoint` is a stored text. */
export const endpointTerms = (
  column: string,
  {
    endpoint,
    endpoints,
  }: { readonly endpoint?: string | undefined; readonly endpoints?: readonly string[] | undefined },
): RawBuilder<unknown> =>
  sql`${plainTerm(column, endpoint)}${endpoints === undefined ? sql`` : sql` and ${isOneOf(column, endpoints)}`}`

/**
 * Creates the condition that a column has one of the ids, in one parameter: engines limit the parameters of a statement. The
 * keys of an object are the one list that both engines read. With the truth test, PostgreSQL keeps the order of an index.
 */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  const keys = JSON.stringify(Object.fromEntries(ids.map((id) => [escapeText(id), 1])))
  return sql`((coalesce(${sql.ref(column)}, '') in (select key from json_each(${keys}))) is true)`
}
