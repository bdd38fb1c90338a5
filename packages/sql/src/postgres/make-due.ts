import type { Route } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { workTables } from './work-tables.ts'

/**
 * Makes events due that wait for a retry, oldest first, in one statement; passes over events that another process changes.
 *
 * The providers come from the partial index of open events. The events of each provider come in the order of the index
 * `events_by_status`, so that neither ended nor queued events are read.
 */
export async function makeEventsDue(
  db: Kysely<InboxTables>,
  clock: Clock,
  limit: number,
  route: Route | undefined,
): Promise<number> {
  const { open, event } = workTables.publish
  const indexed = sql`w.provider, coalesce(w.lease_ends_at, w.due_at), ${event}`
  const { rows } = await sql<{ count: number }>`
    with recursive present as materialized (select ${clock()} as at),
    providers (provider) as (
      (select w.provider from events w where ${open} order by ${indexed} limit 1)
      union all
      select (select w.provider from events w where ${open} and w.provider > known.provider
        order by ${indexed} limit 1)
      from providers known where known.provider is not null
    ),
    waiting as materialized (
      select found.* from providers p, lateral (
        select w.sequence, w.received_at from events w
        where w.provider = p.provider and w.status = 'pending' and w.attempts > 0 and w.lease is null
          and w.due_at > (select at from present) and (${route ?? null}::text is null or w.route = ${route ?? null}::text)
        order by w.provider, w.status, w.received_at, w.delivery limit ${limit}
        for no key update skip locked
      ) as found
    ),
    oldest as materialized (
      select sequence from waiting order by received_at, sequence limit ${limit}
    ),
    made as (
      update events w set due_at = least(w.since, present.at)
      from oldest, present where w.sequence = oldest.sequence
      returning 1
    )
    select count(*)::int as count from made`.execute(db)
  return rows[0]?.count ?? 0
}
