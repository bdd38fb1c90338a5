import type { DestinationBacklog, LaneQuery, LaneSummary } from '@sallyport/webhooks'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from '../internal/is-postgres.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText, unescapeText } from '../internal/text.ts'

interface LaneRow {
  readonly lane: string
  readonly ordered: number
  readonly paused_at: number | null
  readonly lease_ends_at: number | null
  readonly events: number
  readonly id: string | null
  readonly name: string
  readonly delivery: string
  readonly endpoint: string | null
  readonly attempts: number
  readonly since: number
  readonly due_at: number
  readonly last_error: string | null
}

const maxCounted = 1000

/** When the lease of a lane `l` ends; a lane without one can have a time until which it is free for an operator. */
const leaseEndsAt = sql<number | null>`case when l.lease is not null then l.lease_ends_at end`

/** Whether a lane `l` is in a state. */
const inState: Readonly<Record<LaneSummary['state'], (at: number) => RawBuilder<unknown>>> = {
  paused: () => sql`l.paused_at is not null`,
  stuck: () => sql`l.paused_at is null and l.attempts > 0`,
  running: (at) => sql`l.paused_at is null and l.attempts = 0 and coalesce(${leaseEndsAt}, 0) > ${at}`,
  waiting: (at) => sql`l.paused_at is null and l.attempts = 0 and coalesce(${leaseEndsAt}, 0) <= ${at}`,
}

function findLanes({ order, state, name, limit }: LaneQuery, at: number): RawBuilder<{ name: string }> {
  const isChosen = sql`${state === undefined ? sql`1 = 1` : inState[state](at)}
    ${name === undefined ? sql`` : sql`and l.name = ${escapeText(name)}`}`
  if (order === 'busiest')
    return sql`select e.lane as name from events e where e.lane is not null and e.status = 'pending'
      and e.lane in (select l.name from lanes l where ${isChosen})
      group by e.lane order by count(*) desc, e.lane limit ${limit}`
  const place = order === 'oldest' ? sql`l.since` : sql`l.attempts desc, l.since`
  return sql`select l.name from lanes l where ${isChosen} order by ${place}, l.name limit ${limit}`
}

/** Lists lanes with their first open events. Reads all lanes, or all pending events of lanes for the busiest. */
export async function listLanes(
  db: Kysely<InboxTables>,
  query: LaneQuery,
  at: number,
): Promise<readonly LaneSummary[]> {
  const found = await findLanes(query, at).execute(db)
  const names = found.rows.map(({ name }) => name)
  if (names.length === 0) return []
  const open = sql`from events e where e.lane = l.name and e.status = 'pending'`
  const { rows } = await sql<LaneRow>`
    select l.name as lane, l.ordered, l.paused_at, ${leaseEndsAt} as lease_ends_at, f.id, f.name, f.attempts, f.since, f.due_at, f.last_error,
      d.id as delivery, d.endpoint,
      (select count(*) from (select 1 ${open} limit ${sql.lit(maxCounted)}) as counted) as events
    from lanes l
    left join events f on f.sequence = (select e.sequence ${open} order by e.lane_place, e.sequence limit 1)
    left join deliveries d on d.sequence = f.delivery
    where l.name in (${sql.join(names)})`.execute(db)
  const byName = new Map(rows.map((row) => [row.lane, row]))
  return names.flatMap((name) => {
    const row = byName.get(name)
    // A lane without both is about to be deleted.
    return row && (row.id !== null || row.paused_at !== null) ? toSummary(row, at) : []
  })
}

interface BacklogRow {
  readonly name: string
  readonly events: number | string
  readonly oldest: number | string
}

/** Counts the pending events in the lanes of destinations, whose names are `>name/…`. Reads all lanes. */
export async function countBacklogs(db: Kysely<InboxTables>): Promise<readonly DestinationBacklog[]> {
  const slash = isPostgres(db) ? sql`strpos(l.name, '/')` : sql`instr(l.name, '/')`
  const { rows } = await sql<BacklogRow>`
    select name, sum(events) as events, min(since) as oldest from (
      select substr(l.name, 2, ${slash} - 2) as name, l.since, (select count(*) from (
        select 1 from events e where e.lane = l.name and e.status = 'pending' limit ${sql.lit(maxCounted)}) as counted
      ) as events
      from lanes l where l.name like '>%/%' and l.name not like '>>%'
    ) as counts where events > 0 group by name`.execute(db)
  return rows.map(({ name, events, oldest }) => ({ name, events: Number(events), oldestAt: Number(oldest) }))
}

function toSummary(row: LaneRow, at: number): LaneSummary {
  const { paused_at: pausedAt, lease_ends_at: endsAt } = row
  const isLeased = endsAt !== null && endsAt > at
  return {
    name: unescapeText(row.lane),
    state: toState(row, isLeased),
    isOrdered: row.ordered === 1,
    ...(pausedAt !== null && { pausedAt }),
    ...(isLeased && { leaseEndsAt: endsAt }),
    events: row.events,
    ...(row.id !== null && {
      first: {
        id: unescapeText(row.id),
        name: unescapeText(row.name),
        deliveryId: unescapeText(row.delivery),
        ...(row.endpoint !== null && { endpoint: unescapeText(row.endpoint) }),
        attempts: row.attempts,
        since: row.since,
        dueAt: row.due_at,
        ...(row.attempts > 0 && row.last_error !== null && { lastError: unescapeText(row.last_error) }),
      },
    }),
  }
}

function toState(row: LaneRow, isLeased: boolean): LaneSummary['state'] {
  if (row.paused_at !== null) return 'paused'
  if (row.attempts > 0) return 'stuck'
  return isLeased ? 'running' : 'waiting'
}
