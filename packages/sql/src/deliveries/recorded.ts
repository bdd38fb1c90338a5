import type { RecordedDeliveries, RecordedQuery } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Vault } from '../encryption/vault.ts'
import type { InboxTables } from '../internal/tables.ts'
import { filterTerms } from './sources.ts'
import { readSummaries } from './summary.ts'

/** Reads up to `limit` deliveries by their sequence and returns those that match the filter. */
export async function readRecorded(
  db: Kysely<InboxTables>,
  { after, upTo, limit, ...filter }: RecordedQuery,
  vault: Vault,
): Promise<RecordedDeliveries> {
  if (after >= upTo) return { deliveries: [], next: after }
  const portion = await sql<{ readonly last: number | null; readonly count: number }>`
    select max(sequence) as last, count(*) as count from (
      select sequence from deliveries where sequence > ${after} and sequence <= ${upTo}
      order by sequence limit ${limit}) as portion`.execute(db)
  const { last, count } = portion.rows[0] ?? { last: null, count: 0 }
  const next = count < limit ? upTo : (last ?? upTo)
  const { rows } = await sql<{ readonly sequence: number }>`
    select e.sequence from deliveries e
    where e.sequence > ${after} and e.sequence <= ${next}${filterTerms(filter)}
    order by e.sequence`.execute(db)
  const sequences = rows.map(({ sequence }) => sequence)
  const summaries = await readSummaries(db, sequences, vault)
  return { deliveries: sequences.flatMap((sequence) => summaries.get(sequence) ?? []), next }
}

/**
 * Returns the last sequence of a database that commits one transaction at a time: sequences appear in the order of their
 * numbers.
 */
export async function readLastSequence(db: Kysely<InboxTables>): Promise<number> {
  const { last } = await db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.max<number | null>('sequence').as('last'))
    .executeTakeFirstOrThrow()
  return last ?? 0
}
