import type { Work } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { workTables } from './work-tables.ts'

/** A check for a clock that was set back. */
export interface Rescheduling {
  /** The last reading of the clock; undefined before the first. Only an earlier clock changes rows. */
  readonly last: number | undefined
  readonly leaseMs: number
  /** Work that waits for longer is due, in milliseconds. */
  readonly longestDelayMs?: number | undefined
}

/** The number of changed rows, and a reading of the clock. */
export interface Rescheduled {
  readonly at: number
  readonly count: number
}

// Rows per statement; the next empty claim reschedules the rest.
const maxRows = 1000

/** Creates the parts `present (at)`, and `set_back (at)`, which is empty unless the clock was set back. */
export const presentCtes = (clock: Clock, last: number | undefined) => sql`
    present as materialized (select ${clock()} as at),
    set_back as materialized (select at from present where at < coalesce(${last ?? null}::bigint, at + 1))`

/** Creates the changes of a row `w` of work that is late. */
export const changes = (leaseMs: number) => sql`
      since = least(w.since, at), due_at = least(w.due_at, at),
      lease_ends_at = case when w.lease_ends_at is not null then least(w.lease_ends_at, at + ${leaseMs}::bigint) end`

const dueAt = sql`coalesce(w.lease_ends_at, w.due_at)`

/**
 * Makes work due after the clock was set back: work that began in the future, or that waits longer than the longest delay.
 * A lease is extended by one lease duration, so that its holder can settle the work. Locked rows are skipped.
 */
export async function rescheduleWork(
  db: Kysely<InboxTables>,
  clock: Clock,
  work: Work,
  { last, leaseMs, longestDelayMs }: Rescheduling,
): Promise<Rescheduled> {
  const { table, event, open } = workTables[work]
  const { rows } = await sql<Rescheduled>`
    with recursive ${presentCtes(clock, last)},
    providers (provider) as (
      (select w.provider from ${table} w where ${open} and exists (select from set_back)
        order by w.provider, ${dueAt}, ${event} limit 1)
      union all
      select (select w.provider from ${table} w where ${open} and w.provider > known.provider
        order by w.provider, ${dueAt}, ${event} limit 1)
      from providers known where known.provider is not null
    ),
    late as materialized (
      select found.event from providers p, lateral (
        select ${event} as event from ${table} w
        where ${open} and w.provider = p.provider and ${dueAt} > (select at from set_back)
          and (w.since > (select at from set_back)
            or ${dueAt} > (select at from set_back) + ${longestDelayMs ?? null}::bigint)
        order by ${dueAt}, ${event} limit ${maxRows} for no key update skip locked
      ) as found
    ),
    changed as (
      update ${table} w set ${changes(leaseMs)} from late, set_back where ${event} = late.event returning 1
    )
    select at, (select count(*) from changed) as count from present`.execute(db)
  return rows[0] ?? { at: 0, count: 0 }
}

/**
 * Runs a claim, and once more when it finds nothing and work was rescheduled.
 *
 * @param reschedule takes the last reading of the clock
 */
export function createRescheduling<Row>(
  reschedule: (last: number | undefined, leaseMs: number, longestDelayMs?: number) => Promise<Rescheduled>,
): (
  claim: () => Promise<readonly Row[]>,
  asked: { readonly limit: number; readonly leaseMs: number; readonly longestDelayMs?: number | undefined },
) => Promise<readonly Row[]> {
  let last: number | undefined
  return async (claim, { limit, leaseMs, longestDelayMs }) => {
    const rows = await claim()
    if (rows.length > 0 || limit === 0) return rows
    const { at, count } = await reschedule(last, leaseMs, longestDelayMs)
    last = count > 0 ? undefined : at
    return count > 0 ? claim() : rows
  }
}
