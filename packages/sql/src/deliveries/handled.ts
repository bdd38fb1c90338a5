import { sql, type RawBuilder } from 'kysely'
import { handledScope } from '../internal/once.ts'
import type { WriteTransaction } from './transaction.ts'

type Db = WriteTransaction['db']

/** Lists the scopes of the consumers with `once`. Skips through the index, so that the cost is per consumer. */
async function findScopes(db: Db): Promise<readonly string[]> {
  const next = (after: RawBuilder<unknown>) => sql`select scope from idempotency_keys
    where scope > ${after} order by scope limit 1`
  const { rows } = await sql<{ scope: string }>`
    with recursive scopes (scope) as (
      select scope from (${next(sql`''`)}) as first
      union all
      select (${next(sql`scopes.scope`)}) from scopes where scopes.scope is not null
    )
    select scope from scopes where scope is not null`.execute(db)
  return rows.map(({ scope }) => scope).filter((scope) => scope.startsWith(handledScope))
}

/** Returns which of the events a consumer with `once` has handled. */
export async function findHandled(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const scopes = await findScopes(db)
  if (scopes.length === 0 || ids.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`select distinct key from idempotency_keys
    where scope in (${sql.join(scopes)}) and key in (${sql.join(ids)})`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/**
 * Lets the consumers handle events again that they have handled. The embedded bus forgets the events, so that it stores
 * them again.
 */
export async function forgetHandled(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const keys = sql.join(ids)
  await sql`delete from bus_events where id in (${keys})`.execute(db)
  const scopes = await findScopes(db)
  if (scopes.length === 0) return
  await sql`delete from idempotency_keys where scope in (${sql.join(scopes)}) and key in (${keys})`.execute(
    db,
  )
}
