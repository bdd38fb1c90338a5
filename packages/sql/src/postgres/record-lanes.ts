import { sql, type Kysely } from 'kysely'
import { isOrdered, placeAt } from '../deliveries/lanes.ts'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { waitForDisk } from './durable.ts'
import { prepared } from './prepared.ts'
import { selectEventOfKey } from './work-tables.ts'

/**
 * The part of a statement that locks the lanes of the new events among `requested (place, key, lane, ordered)`, in the order
 * of their names. A lane without a row gets the lease of its first delivery, unless a dead letter is revived in it. The first
 * event of an ordered lane decides when the lane is due.
 */
export const openingCtes = sql`
    laned as materialized (
      select coalesce(e.lane, r.lane) as lane, max(ordered) as ordered, min(place) as place, count(e.lane) as dead
      from requested r
      left join lateral (
        select 1 as known, event from idempotency_keys where scope = 'event' and key = r.key limit 1
      ) k on true
      left join lateral (select lane from events where sequence = k.event and status = 'dead' limit 1) e on true
      where r.lane is not null and (k.known is null or e.lane is not null)
      group by coalesce(e.lane, r.lane)
    ),
    opened as (
      insert into lanes as l (name, ordered, due_at, since, attempts, lease, lease_ends_at)
      select lane, ordered, at, at, 0, case dead when 0 then d.lease end, case dead when 0 then at + d.lease_ms end
      from laned join incoming d using (place), clock
      order by lane collate "C"
      on conflict (name) do update set version = l.version + 1, ordered = excluded.ordered,
        due_at = case l.ordered when 1 then l.due_at else least(l.due_at, excluded.due_at) end
      returning l.name, l.lease
    )`

/** Revives the dead letters of these keys in their lanes, whose rows are locked first. */
export async function reviveInLanes(
  db: Kysely<InboxTables>,
  clock: Clock,
  keys: readonly string[],
): Promise<void> {
  await sql`${prepared}
    with clock as materialized (select ${clock()} as at, ${waitForDisk}),
    found as materialized (
      select e.sequence, e.lane, ${isOrdered} as ordered from unnest(${keys}::text[]) as asked (key)
      join lateral ${selectEventOfKey(sql`asked.key`)} k on true
      join events e on e.sequence = k.event and e.status = 'dead' and e.lane is not null
    ),
    opened as (
      insert into lanes as l (name, ordered, due_at, since, attempts)
      select lane, max(ordered), at, at, 0 from found, clock group by lane, at order by lane collate "C"
      on conflict (name) do update set version = l.version + 1, due_at = least(l.due_at, excluded.due_at)
      returning name
    ),
    dead as materialized (
      select e.sequence from found join events e on e.sequence = found.sequence and e.status = 'dead'
      where (select count(*) from opened) >= 0
      order by e.sequence for no key update of e
    )
    update events set status = 'pending', attempts = 0, since = at, due_at = at, lane_place = ${placeAt(sql`at`)}
    from dead, clock where events.sequence = dead.sequence`.execute(db)
}
