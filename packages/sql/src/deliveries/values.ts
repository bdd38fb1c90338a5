import { sql, type Kysely, type RawBuilder } from 'kysely'
import { hash } from 'node:crypto'
import type { InboxTables } from '../internal/tables.ts'

/**
 * The deliveries of a bucket of the index of values. Hashes in one order would put each new entry on another page, which costs
 * as much as the rest of a delivery. Entries of one bucket share a few pages, and a search reads every bucket.
 */
export const bucketSize = 512

/**
 * Hashes a value by which deliveries are found: 64 bits take less space in an index than the value, and the index does not
 * show the data of a person.
 */
export const hashValue = (value: string): bigint => hash('sha256', value, 'buffer').readBigInt64BE()

/** Creates the term on a value of a delivery `e`, by its hashes. */
export const hasValue = (
  hashes: readonly bigint[],
): RawBuilder<unknown> => sql` and exists (select 1 from delivery_values v
  where v.bucket = e.sequence / ${sql.lit(bucketSize)} and v.hash in (${sql.join(hashes)}) and v.delivery = e.sequence)`

/** Creates the term on a delivery `e` that finds the deliveries with a value by the index of its hashes. */
export const byValue = (hashes: readonly bigint[]): RawBuilder<unknown> => sql` and e.sequence in (
  with recursive buckets(bucket) as (
    select min(bucket) from delivery_values
    union all
    select bucket + 1 from buckets where bucket < (select max(bucket) from delivery_values)
  )
  select v.delivery from buckets b join delivery_values v on v.bucket = b.bucket and v.hash in (${sql.join(hashes)}))`

/** Deletes the entries of deliveries. */
export async function removeValues(db: Kysely<InboxTables>, deliveries: readonly number[]): Promise<void> {
  const buckets = new Set(deliveries.map((delivery) => Math.floor(delivery / bucketSize)))
  if (buckets.size === 0) return
  await sql`delete from delivery_values where bucket in (${sql.join([...buckets])})
    and delivery in (${sql.join(deliveries)})`.execute(db)
}
