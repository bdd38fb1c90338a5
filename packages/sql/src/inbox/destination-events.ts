import type { DestinationEventsQuery, EventState } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import { readEventStates } from '../deliveries/detail.ts'
import type { Vault } from '../encryption/vault.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'

const statuses = ['pending', 'queued', 'published', 'dead'] as const

/** Lists the events of a destination by the receipt of their deliveries, newest first, without data in objects. */
export async function findDestinationEvents(
  db: Kysely<InboxTables>,
  { destination, status, limit }: DestinationEventsQuery,
  vault: Vault,
): Promise<readonly EventState[]> {
  // Each status is a range of the index.
  const parts = (status === undefined ? statuses : [status]).map(
    (one, index) => sql`select * from (select e.sequence, e.received_at from events e
      where e.destination = ${escapeText(destination)} and e.status = ${sql.lit(one)}
      order by e.received_at desc, e.sequence desc limit ${limit}) as ${sql.ref(`part_${index}`)}`,
  )
  const { rows } = await sql<{ sequence: number }>`
    select sequence from (${sql.join(parts, sql` union all `)}) as found
    order by received_at desc, sequence desc limit ${limit}`.execute(db)
  if (rows.length === 0) return []
  const found = await readEventStates(
    db,
    sql`e.sequence in (${sql.join(rows.map(({ sequence }) => sequence))})`,
    { vault },
  )
  return rows.flatMap(({ sequence }) => found.get(sequence) ?? [])
}
