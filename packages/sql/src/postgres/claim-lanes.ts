import { sql, type Kysely } from 'kysely'
import { dataBytes } from '../inbox/data-bytes.ts'
import type { LeaseRequest } from '../inbox/inbox.ts'
import type { ClaimedLaneRow, LaneLimits } from '../inbox/lanes.ts'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'

/** The next events of the leased lanes. */
interface Claimed {
  readonly rows: readonly ClaimedLaneRow[]
  /** The number of lanes that were due. */
  readonly found: number
}

/** The row of an answer without events has nulls. */
type Answer = { readonly found: number } & (ClaimedLaneRow | { readonly id: null })

/**
 * Leases due lanes in one statement, with their next events; skips lanes that another transaction has locked.
 *
 * A lane may change between the snapshot of the statement and its lock. Its events in the snapshot are outdated then, so that
 * the lane is left for the next claim. A lane without pending events loses its row, and one whose first event is not due
 * waits for it.
 */
export async function claimLanes(
  db: Kysely<InboxTables>,
  clock: Clock,
  { limit, events, maxBytes }: LaneLimits,
  { token, leaseMs }: LeaseRequest,
): Promise<Claimed> {
  const at = sql`(select at from present)`
  // The time is read once, because an expression that changes during a statement prevents the use of an index.
  const { rows } = await sql<Answer>`
    with present as materialized (select ${clock()} as at),
    locked as materialized (
      select name, version, ${dueAt} as due_at from lanes
      where paused_at is null and ${dueAt} <= ${at}
      order by ${dueAt} limit ${limit} for no key update skip locked
    ),
    current as materialized (
      select l.name, row_number() over (order by l.due_at, l.name) as place from locked l
      join lateral (select version from lanes where name = l.name limit 1) s on s.version = l.version
    ),
    next as materialized (
      select c.place, c.name, n.*,
        bool_and(n.due_at <= ${at} or n.since > ${at}) over (partition by c.place order by n.turn) as is_due
      from current c left join lateral (
        select e.sequence, e.due_at, e.since, e.attempts, ${maxBytes === undefined ? sql`0` : sql.raw(dataBytes)} as bytes,
          row_number() over (order by e.lane_place, e.sequence) as turn
        from events e where e.lane = c.name and e.status = 'pending'
        order by e.lane_place, e.sequence limit ${events}
      ) n on true
    ),
    taken as materialized (
      select * from (
        select *, row_number() over turns as number, sum(bytes) over turns as total from next where is_due
        window turns as (order by place, turn)
      ) as measured
      where ${maxBytes ?? null}::bigint is null or number = 1 or total <= ${maxBytes ?? null}::bigint
    ),
    leased as (
      update lanes l set lease = ${token}, lease_ends_at = (select ${clock()}) + ${leaseMs}::bigint,
        version = l.version + 1, since = taken.since, attempts = taken.attempts
      from taken where l.name = taken.name and taken.turn = 1
    ),
    waiting as (
      update lanes l set due_at = next.due_at, lease = null, lease_ends_at = null, version = l.version + 1,
        since = next.since, attempts = next.attempts
      from next where l.name = next.name and next.turn = 1 and not next.is_due
    ),
    emptied as (
      delete from lanes l using next where l.name = next.name and next.sequence is null
    )
    select f.found, e.id, e.name, e.subject, e.ts, e.data, e.data_body, e.manual, e.trace, e.replay_of, e.route, t.attempts, t.since,
      e.lane, d.id as delivery, d.provider, d.endpoint, d.received_at
    from (select count(*) as found from locked) f
    left join (taken t join events e on e.sequence = t.sequence join deliveries d on d.sequence = e.delivery) on true
    order by t.place, t.turn`.execute(db)
  return { rows: rows.filter((row) => row.id !== null), found: rows[0]?.found ?? 0 }
}

const dueAt = sql`coalesce(lease_ends_at, due_at)`
