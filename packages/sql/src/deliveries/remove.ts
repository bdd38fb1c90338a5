import { sql, type RawBuilder } from 'kysely'
import { checkObjectsOf } from '../bodies/unused.ts'
import { isEmpty, isEnded, isUnfinished } from './terms.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'
import { removeValues } from './values.ts'

/** Rows to delete, unless the rows that they depend on have changed since the search. */
export interface Removal {
  readonly events: readonly number[]
  /** Deliveries without events, or whose events are deleted in the same step. */
  readonly deliveries: readonly number[]
  /** By the sequences of their deliveries. */
  readonly bodies: readonly number[]
  readonly keys: readonly { readonly scope: 'event' | 'quarantine'; readonly key: string }[]
}

/** The number of deleted rows per kind. */
export type Removed = Readonly<Record<keyof Removal, number>>

const advisoryLock = `where pg_try_advisory_xact_lock(hashtext('sallyport'), hashtext('prune'))`

/**
 * Deletes rows that may still be deleted. On PostgreSQL, an advisory lock serializes this, because two concurrent calls
 * could each leave a delivery whose last events the other call deletes. Locked rows are skipped, which prevents deadlocks.
 */
export async function removeRows({ db, at, lock }: WriteTransaction, removal: Removal): Promise<Removed> {
  const { rows } = await sql`select 1 as locked ${lock(advisoryLock)}`.execute(db)
  if (rows.length === 0) return { events: 0, deliveries: 0, bodies: 0, keys: 0 }

  await checkObjectsOf(
    { db, at },
    { deliveries: [...removal.bodies, ...removal.deliveries], events: removal.events },
  )

  async function remove(
    values: readonly unknown[],
    statement: (some: RawBuilder<unknown>) => RawBuilder<unknown>,
  ) {
    let count = 0
    for (const some of splitIntoPortions(values)) {
      const { numAffectedRows } = await statement(sql.join(some)).execute(db)
      count += Number(numAffectedRows ?? 0)
    }
    return count
  }

  const bodies = await remove(
    removal.bodies,
    (some) => sql`delete from delivery_bodies where delivery in (
      select d.sequence from deliveries d where d.sequence in (${some}) and not ${sql.raw(isUnfinished)})`,
  )
  const events = await remove(
    removal.events,
    (some) => sql`delete from events where sequence in (
      select e.sequence from events e where e.sequence in (${some}) and ${sql.raw(isEnded)}
      ${lock('for update of e skip locked')})`,
  )
  const deliveries: number[] = []
  for (const some of splitIntoPortions(removal.deliveries)) {
    const removed = await sql<{ sequence: number }>`delete from deliveries where sequence in (
      select d.sequence from deliveries d where d.sequence in (${sql.join(some)}) and ${sql.raw(isEmpty)}
      ${lock('for update of d skip locked')}) returning sequence`.execute(db)
    const sequences = removed.rows.map(({ sequence }) => sequence)
    await removeValues(db, sequences)
    deliveries.push(...sequences)
  }
  const keys = await remove(
    removal.keys.map(({ scope, key }) => sql`(${scope}, ${key})`),
    (some) => sql`delete from idempotency_keys where (scope, key) in (values ${some})
      and not exists (select 1 from events e where e.sequence = idempotency_keys.event)
      and not exists (select 1 from deliveries d where d.sequence = idempotency_keys.delivery)`,
  )
  return { events, deliveries: deliveries.length, bodies, keys }
}
