import { sql, type Kysely } from 'kysely'
import { placeAt } from '../deliveries/lanes.ts'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { presentCtes, changes, type Rescheduled, type Rescheduling } from './reschedule.ts'

// Per statement, and per lane: an event that began in the future is due once it is the first.
const [maxLanes, maxEvents] = [100, 1000]

const dueAt = sql`coalesce(w.lease_ends_at, w.due_at)`

/**
 * Makes lanes due after the clock was set back, as `rescheduleWork` does, with their first events. Locked lanes are skipped.
 */
export async function rescheduleLanes(
  db: Kysely<InboxTables>,
  clock: Clock,
  { last, leaseMs, longestDelayMs }: Rescheduling,
): Promise<Rescheduled> {
  const { rows } = await sql<Rescheduled>`
    with ${presentCtes(clock, last)},
    late as materialized (
      select w.name from lanes w
      where w.paused_at is null and ${dueAt} > (select at from set_back)
        and (w.since > (select at from set_back)
          or ${dueAt} > (select at from set_back) + ${longestDelayMs ?? null}::bigint)
      order by ${dueAt} limit ${maxLanes} for no key update skip locked
    ),
    waiting as materialized (
      select found.sequence from late, lateral (
        select e.sequence, e.due_at from events e where e.lane = late.name and e.status = 'pending'
        order by e.lane_place, e.sequence limit ${maxEvents}
      ) as found
      where found.due_at > (select at from set_back)
    ),
    moved as (
      update events set since = least(events.since, at), due_at = at, lane_place = ${placeAt(sql`at`)}
      from waiting, set_back where events.sequence = waiting.sequence
    ),
    changed as (
      update lanes w set version = w.version + 1, ${changes(leaseMs)} from late, set_back
      where w.name = late.name returning 1
    )
    select at, (select count(*) from changed) as count from present`.execute(db)
  return rows[0] ?? { at: 0, count: 0 }
}
