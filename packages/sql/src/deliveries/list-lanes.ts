import type { LaneQuery, LaneSummary } from '@sallyport/webhooks'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { unescapeText } from '../internal/text.ts'

interface LaneRow {
  readonly lane: string
  readonly ordered: number
  readonly paused_at: number | null
  readonly lease_ends_at: number | null
  readonly events: number
  readonly id: string | null
  readonly name: string
  readonly delivery: string
  readonly attempts: number
  readonly since: number
  readonly due_at: number
  readonly last_error: string | null
}

const maxCounted = 1000

const places: Readonly<Record<LaneQuery['order'], RawBuilder<unknown>>> = {
  stuck: sql`select name from lanes where paused_at is not null or attempts > 0
    order by case when paused_at is null then 1 else 0 end, attempts desc, since, name`,
  oldest: sql`select name from lanes order by since, name`,
  busiest: sql`select lane as name from events where lane is not null and status = 'pending'
    group by lane order by count(*) desc, lane`,
}

/** Lists lanes with their first open events. Reads all lanes, or all pending events of lanes for the busiest. */
export async function listLanes(
  db: Kysely<InboxTables>,
  { order, limit }: LaneQuery,
): Promise<readonly LaneSummary[]> {
  const found = await sql<{ name: string }>`${places[order]} limit ${limit}`.execute(db)
  const names = found.rows.map(({ name }) => name)
  if (names.length === 0) return []
  const open = sql`from events e where e.lane = l.name and e.status = 'pending'`
  const { rows } = await sql<LaneRow>`
    select l.name as lane, l.ordered, l.paused_at, l.lease_ends_at, f.id, f.name, f.attempts, f.since, f.due_at, f.last_error,
      d.id as delivery,
      (select count(*) from (select 1 ${open} limit ${sql.lit(maxCounted)}) as counted) as events
    from lanes l
    left join events f on f.sequence = (select e.sequence ${open} order by e.lane_place, e.sequence limit 1)
    left join deliveries d on d.sequence = f.delivery
    where l.name in (${sql.join(names)})`.execute(db)
  const byName = new Map(rows.map((row) => [row.lane, row]))
  return names.flatMap((name) => {
    const row = byName.get(name)
    // A lane without both is about to be deleted.
    return row && (row.id !== null || row.paused_at !== null) ? toSummary(row) : []
  })
}

function toSummary(row: LaneRow): LaneSummary {
  const { paused_at: pausedAt, lease_ends_at: leaseEndsAt } = row
  return {
    name: unescapeText(row.lane),
    isOrdered: row.ordered === 1,
    ...(pausedAt !== null && { pausedAt }),
    ...(leaseEndsAt !== null && { leaseEndsAt }),
    events: row.events,
    ...(row.id !== null && {
      first: {
        id: unescapeText(row.id),
        name: unescapeText(row.name),
        deliveryId: unescapeText(row.delivery),
        attempts: row.attempts,
        since: row.since,
        dueAt: row.due_at,
        ...(row.attempts > 0 && row.last_error !== null && { lastError: unescapeText(row.last_error) }),
      },
    }),
  }
}
