import { sql, type Kysely, type RawBuilder } from 'kysely'
import { splitIntoPortions, type WriteTransaction } from '../deliveries/transaction.ts'
import type { InboxTables } from '../internal/tables.ts'
import { referenceBytes } from './reference.ts'

/** Objects per transaction, and per call of the store. */
export const portion = 500

/** Whether a column is as long as a reference, in the words of the indexes. The length is read without the data. */
export const mayRefer = (column: string): RawBuilder<unknown> =>
  sql`octet_length(${sql.ref(column)}) = ${sql.lit(referenceBytes)}`

/** Lets the collector check the objects of rows, which this transaction deletes. */
export async function checkObjectsOf(
  { db, at }: Pick<WriteTransaction, 'db' | 'at'>,
  rows: { readonly deliveries: readonly number[]; readonly events: readonly number[] },
): Promise<void> {
  for (const some of splitIntoPortions(rows.deliveries))
    await checkObjects(
      db,
      at,
      sql`select object from delivery_bodies where object is not null and delivery in (${sql.join(some)})`,
    )
  for (const some of splitIntoPortions(rows.events))
    await checkObjects(
      db,
      at,
      sql`select data_body from events where ${mayRefer('data_body')} and sequence in (${sql.join(some)})`,
    )
}

/** Lets the collector check objects. @param at milliseconds since the epoch, or an expression */
export async function checkObjects(
  db: Kysely<InboxTables>,
  at: number | RawBuilder<number>,
  references: RawBuilder<unknown>,
): Promise<void> {
  await sql`update body_objects set check_at = ${at} where reference in (${references})`.execute(db)
}

/**
 * Checks objects that are due, and moves those without a reference to the objects that are deleted. A late record that refers to
 * one of them then fails at its foreign key.
 *
 * @returns the number of checked objects
 */
export async function releaseUnused({ db, at, lock }: WriteTransaction): Promise<number> {
  const due = await sql<{ reference: Uint8Array }>`select reference from body_objects where check_at <= ${at}
    order by check_at limit ${sql.lit(portion)} ${lock('for update skip locked')}`.execute(db)
  if (due.rows.length === 0) return 0
  const checked = sql.join(due.rows.map(({ reference }) => reference))
  // A statement of its own, after the locks: it sees the transactions that marked the objects.
  const unused = await sql<{ reference: Uint8Array }>`select o.reference from body_objects o
    where o.reference in (${checked})
      and not exists (select 1 from delivery_bodies b where b.object = o.reference)
      and not exists (select 1 from events e where e.data_body = o.reference and ${mayRefer('e.data_body')})
      and not exists (select 1 from bus_events b where b.data_body = o.reference and ${mayRefer('b.data_body')})`.execute(
    db,
  )
  if (unused.rows.length > 0) {
    const references = unused.rows.map(({ reference }) => reference)
    await db.deleteFrom('body_objects').where('reference', 'in', references).execute()
    await db
      .insertInto('unused_objects')
      .values(references.map((reference) => ({ reference })))
      .execute()
  }
  await sql`update body_objects set check_at = null where reference in (${checked})`.execute(db)
  return due.rows.length
}
