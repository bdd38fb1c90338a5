import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { prepared } from './prepared.ts'
import { eventOf } from './work-tables.ts'

/**
 * Creates the part of a statement that publishes the events of `held (event, place, outcome, before, duplicate)` whose
 * outcome is `done`. An event that was published before, at the position `before`, keeps its position.
 *
 * The update of the counter locks it until the end of the transaction, so that positions become visible in order. The
 * rows are locked first, so that no transaction waits for a lock while it holds the counter.
 */
export const publishing = (clock: Clock) => sql`
    published as materialized (
      select event, duplicate, row_number() over (order by place) as position
      from held where outcome = 'done' and before is null
    ),
    counted as materialized (select count(*) as published from published),
    counter as (
      update sequences s set value = s.value + counted.published
      from counted where s.name = 'published' and counted.published > 0
      returning s.value - counted.published as last, ${clock()} as at
    ),
    ended as (
      update events w set status = 'published', published_at = counter.at,
        published_sequence = counter.last + published.position, duplicate = published.duplicate, lease = null,
        lease_ends_at = null
      from published, counter where w.sequence = published.event
    ),
    ended_again as (
      update events w set status = 'published', duplicate = held.duplicate, lease = null, lease_ends_at = null
      from held where w.sequence = held.event and outcome = 'done' and before is not null
    ),
    owed as (
      update notifications n set status = 'pending', since = coalesce(counter.at, ${clock()}),
        due_at = coalesce(counter.at, ${clock()})
      from held left join counter on true
      where n.event = held.event and outcome = 'done' and n.status = 'waiting'
    )`

/** Creates the part that leaves events to the shared queue, until they are due again. */
export const queueing = (clock: Clock) => sql`
    queued as (
      update events w set status = 'queued', attempts = 0, since = (select ${clock()}) + after_ms,
        due_at = (select ${clock()}) + after_ms, lease = null, lease_ends_at = null
      from held where w.sequence = held.event and outcome = 'queued'
    )`

/** Marks events as published that the shared queue has moved to the bus, regardless of their leases. */
export async function forwardEvents(
  db: Kysely<InboxTables>,
  clock: Clock,
  ids: readonly string[],
  duplicates: readonly string[],
): Promise<readonly boolean[]> {
  const distinct = [...new Set(ids)]
  const { rows } = await sql<{ place: number }>`${prepared}
    with held as materialized (
      select w.sequence as event, s.place, 'done' as outcome, w.published_sequence as before,
        case when s.id = any(${duplicates}::text[]) then 1::smallint end as duplicate
      from unnest(${distinct}::text[]) with ordinality as s (id, place)
      join lateral ${eventOf(sql`s.id`)} k on true
      join events w on w.sequence = k.event and w.id = s.id and w.status <> 'published'
      order by w.sequence for no key update of w
    ),
    ${publishing(clock)}
    select place from held`.execute(db)
  const forwarded = new Set(rows.map(({ place }) => distinct[place - 1]))
  // The first of equal ids settles the event.
  return ids.map((id) => forwarded.delete(id))
}
