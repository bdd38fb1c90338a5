import type { Settlement, Work } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import { keptFailures } from '../inbox/failures.ts'
import type { InboxTables } from '../internal/tables.ts'
import { prepared } from './prepared.ts'
import { publishing, queueing } from './publish.ts'
import { eventOf, workTables } from './work-tables.ts'

/**
 * Settles attempts in one statement, each only under its lease. Rows are locked in the order of all other statements.
 */
export async function settleWork(
  db: Kysely<InboxTables>,
  clock: Clock,
  work: Work,
  settlements: readonly Settlement[],
): Promise<readonly boolean[]> {
  // The first settlement under a lease counts.
  const firsts = new Map<string, number>()
  for (const [index, settlement] of settlements.entries()) {
    const name = nameOf(settlement)
    if (!firsts.has(name)) firsts.set(name, index)
  }
  const places = [...firsts.values()]
  const asked = places.flatMap((place) => settlements[place] ?? [])
  const { table, event } = workTables[work]
  const { rows } = await sql<{ place: number }>`${prepared}
    with held as materialized (
      select ${event} as event, s.place, s.outcome, s.after_ms, s.error${
        work === 'publish' ? sql`, w.published_sequence as before, s.duplicate` : sql``
      }
      from unnest(
        ${places}::int[],
        ${asked.map(({ id }) => id)}::text[],
        ${asked.map(({ lease }) => lease)}::text[],
        ${asked.map(({ outcome }) => outcome.status)}::text[],
        ${asked.map(({ outcome }) => delayOf(outcome))}::bigint[],
        ${asked.map(({ outcome }) => ('error' in outcome ? outcome.error : null))}::text[],
        ${asked.map(({ outcome }) => (outcome.status === 'done' && outcome.duplicate === true ? 1 : null))}::smallint[]
      ) as s (place, id, lease, outcome, after_ms, error, duplicate)
      join lateral ${eventOf(sql`s.id`)} k on true
      -- Nothing to join by: where the planner believes that leases are rare, it would begin with all rows that have one.
      join ${table} w on ${event} = k.event and (w.lease = s.lease) is true
      order by ${event} for no key update of w
    ),
    ${work === 'publish' ? sql`${publishing(clock)}, ${queueing(clock)}` : sending},
    tried as (
      update ${table} w set
        status = case outcome when 'dead' then 'dead' else w.status end,
        attempts = w.attempts + 1,
        due_at = case outcome when 'retry' then (select ${clock()}) + after_ms else w.due_at end,
        lease = null, lease_ends_at = null
      from held where ${event} = held.event and outcome in ('retry', 'dead')
    ),
    ${failing(clock, work)},
    released as (
      update ${table} w set lease = null, lease_ends_at = null
      from held where ${event} = held.event and outcome = 'released'
    )
    select place from held`.execute(db)
  const held = new Set(rows.map(({ place }) => place))
  return settlements.map((settlement, index) => held.has(index) && firsts.get(nameOf(settlement)) === index)
}

/** JSON, so that the two parts cannot be confused. */
const nameOf = ({ id, lease }: Settlement): string => JSON.stringify([lease, id])

function delayOf(outcome: Settlement['outcome']): number | null {
  if (outcome.status === 'queued') return outcome.redeliverAfterMs
  return outcome.status === 'retry' ? outcome.afterMs : null
}

const sending = sql`
    ended as (
      update notifications w set status = 'sent', lease = null, lease_ends_at = null
      from held where w.event = held.event and outcome = 'done'
    )`

/** Creates the part that stores the failures after the latest of their work, and deletes the oldest. */
export const failing = (clock: Clock, work: Work) => sql`
    newest as materialized (
      select event, error, (select coalesce(max(f.number), 0) from failures f
        where f.event = held.event and f.work = ${work}) as number
      from held where outcome in ('retry', 'dead')
    ),
    failed as (
      insert into failures (event, work, number, at, error)
      select event, ${work}, number + 1, (select ${clock()}), error from newest
      on conflict do nothing
    ),
    forgotten as (
      delete from failures f using newest
      where f.event = newest.event and f.work = ${work} and f.number <= newest.number + 1 - ${keptFailures}::int
    )`
