import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Removal, Removed } from '../deliveries/prune.ts'
import { isEmpty, isEnded, isUnfinished } from '../deliveries/terms.ts'
import type { InboxTables } from '../internal/tables.ts'

const nothing: Removed = { events: 0, deliveries: 0, bodies: 0, keys: 0 }

/**
 * Deletes rows that may still be deleted. An advisory lock serializes this, because two concurrent calls could each leave
 * a delivery whose last events the other call deletes. Locked rows are skipped, which prevents deadlocks.
 */
export function removeRows(db: Kysely<InboxTables>, removal: Removal): Promise<Removed> {
  return db.transaction().execute(async (transaction) => {
    const count = async (statement: RawBuilder<unknown>) =>
      Number((await statement.execute(transaction)).numAffectedRows ?? 0)
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('sallyport'), hashtext('prune')) as mine`.execute(transaction)
    if (rows[0]?.mine !== true) return nothing
    const bodies = await count(sql`
      delete from delivery_bodies b using deliveries d
      where b.delivery = any(${removal.bodies}::bigint[]) and d.sequence = b.delivery and not ${sql.raw(isUnfinished)}`)
    const events = await count(sql`
      delete from events where sequence in (
        select e.sequence from events e where e.sequence = any(${removal.events}::bigint[]) and ${sql.raw(isEnded)}
        for update of e skip locked)`)
    const deliveries = await count(sql`
      delete from deliveries where sequence in (
        select d.sequence from deliveries d where d.sequence = any(${removal.deliveries}::bigint[]) and ${sql.raw(isEmpty)}
        for update of d skip locked)`)
    const keys = await count(sql`
      delete from idempotency_keys k
      using unnest(${removal.keys.map(({ scope }) => scope)}::text[], ${removal.keys.map(({ key }) => key)}::text[])
        as gone (scope, key)
      where k.scope = gone.scope and k.key = gone.key
        and not exists (select from events e where e.sequence = k.event)
        and not exists (select from deliveries d where d.sequence = k.delivery)`)
    return { events, deliveries, bodies, keys }
  })
}
