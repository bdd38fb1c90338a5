import type { ForwardFailure } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { failureCtes } from './settle.ts'
import { selectEventOfKey } from './work-tables.ts'

/**
 * Records failed attempts of the shared queue to publish events, regardless of their leases; final failures become dead
 * letters.
 */
export async function failQueuedEvents(
  db: Kysely<InboxTables>,
  clock: Clock,
  failures: readonly ForwardFailure[],
  isFinal: boolean,
): Promise<readonly boolean[]> {
  // The first of several failures with the same id counts.
  const firsts = new Map(failures.map(({ id }, index) => [id, index] as const).toReversed())
  const places = [...firsts.values()]
  const asked = places.flatMap((place) => failures[place] ?? [])
  const { rows } = await sql<{ place: number }>`
    with held as materialized (
      select w.sequence as event, s.place, ${isFinal ? sql.lit('dead') : sql.lit('retry')} as outcome, s.error
      from unnest(
        ${places}::int[],
        ${asked.map(({ id }) => id)}::text[],
        ${asked.map(({ error }) => error)}::text[]
      ) as s (place, id, error)
      join lateral ${selectEventOfKey(sql`s.id`)} k on true
      join events w on w.sequence = k.event and w.id = s.id and w.status in ('pending', 'queued')
      order by w.sequence for no key update of w
    ),
    tried as (
      update events w set ${isFinal ? sql`status = 'dead', lease = null, lease_ends_at = null,` : sql``}
        attempts = w.attempts + 1
      from held where w.sequence = held.event
    ),
    ${failureCtes(clock, 'publish')}
    select place from held`.execute(db)
  const noted = new Set(rows.map(({ place }) => place))
  return failures.map((_, index) => noted.has(index))
}
