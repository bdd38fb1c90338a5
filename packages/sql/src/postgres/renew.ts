import type { HeldLease } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { prepared } from './prepared.ts'
import { selectEventOfKey } from './work-tables.ts'

/** Extends leases of lanes, and of events without a lane, in one statement. */
export async function renewLeases(
  db: Kysely<InboxTables>,
  clock: Clock,
  leases: readonly HeldLease[],
  leaseMs: number,
): Promise<readonly boolean[]> {
  const { rows } = await sql<{ place: number }>`${prepared}
    with asked as materialized (
      select * from unnest(
        ${leases.map((_, place) => place)}::int[],
        ${leases.map((held) => ('lane' in held ? held.lane : null))}::text[],
        ${leases.map((held) => ('id' in held ? held.id : null))}::text[],
        ${leases.map(({ lease }) => lease)}::text[]
      ) as asked (place, lane, id, lease)
    ),
    lanes_held as materialized (
      select a.place, l.name from asked a join lanes l on l.name = a.lane and (l.lease = a.lease) is true
      order by l.name collate "C" for no key update of l
    ),
    events_held as materialized (
      select a.place, e.sequence from asked a
      join lateral ${selectEventOfKey(sql`a.id`)} k on true
      join events e on e.sequence = k.event and (e.lease = a.lease) is true
      where (select count(*) from lanes_held) >= 0
      order by e.sequence for no key update of e
    ),
    lanes_renewed as (
      update lanes l set lease_ends_at = (select ${clock()}) + ${leaseMs}::bigint
      from lanes_held h where l.name = h.name
    ),
    events_renewed as (
      update events e set lease_ends_at = (select ${clock()}) + ${leaseMs}::bigint
      from events_held h where e.sequence = h.sequence
    )
    select place from lanes_held union all select place from events_held`.execute(db)
  const renewed = new Set(rows.map(({ place }) => place))
  return leases.map((_, place) => renewed.has(place))
}
