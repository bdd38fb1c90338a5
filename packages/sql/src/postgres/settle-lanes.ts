import type { LaneResult, LaneSettlement } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import { reservedMs } from '../deliveries/lanes.ts'
import { toAwaitedTargets } from '../inbox/awaited-targets.ts'
import { toResponseJson } from '../inbox/attempt-response.ts'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { prepared } from './prepared.ts'
import { failureCtes, outcomeDelay, publishCtes } from './settle.ts'
import { selectEventOfKey } from './work-tables.ts'

/** Settles lanes, those of one name in their order: a statement changes a row once. */
export async function settleLanes(
  db: Kysely<InboxTables>,
  clock: Clock,
  items: readonly LaneSettlement[],
): Promise<readonly LaneResult[]> {
  const results: LaneResult[] = []
  let open = items.map((item, index) => ({ item, index }))
  while (open.length > 0) {
    const chosen = firstOf(open, ({ item }) => item.name)
    const settled = await settleDistinct(
      db,
      clock,
      chosen.map(({ item }) => item),
    )
    for (const [place, { index }] of chosen.entries()) results[index] = settled[place] ?? lost
    const settledNow = new Set(chosen)
    open = open.filter((one) => !settledNow.has(one))
  }
  return results
}

const lost: LaneResult = { isSettled: false, isDue: false }

interface SettledRow {
  readonly place: number
  readonly is_due: boolean
}

/**
 * Settles lanes of different names in one statement, each only under its lease.
 *
 * A transaction that adds events may commit while this one waits for the lock of a lane; the snapshot has none of these
 * events. The version of the locked row differs from that of the snapshot then, so that the lane stays and is due.
 */
async function settleDistinct(
  db: Kysely<InboxTables>,
  clock: Clock,
  lanes: readonly LaneSettlement[],
): Promise<readonly (LaneResult | undefined)[]> {
  const { rows } = await sql<SettledRow>`${prepared}
    with locked as materialized (
      select a.place, a.events, a.releases, a.wait_ms, l.name, l.ordered, l.version,
        a.pauses or l.paused_at is not null as is_paused
      from unnest(
        ${lanes.map((_, place) => place)}::int[],
        ${lanes.map(({ name }) => name)}::text[],
        ${lanes.map(({ lease }) => lease)}::text[],
        ${lanes.map(({ settlements }) => settlements.length)}::int[],
        ${lanes.map(({ releases }) => releases)}::boolean[],
        ${lanes.map(({ pauses }) => pauses === true)}::boolean[],
        ${lanes.map(({ afterMs = 0 }) => afterMs)}::bigint[]
      ) as a (place, name, lease, events, releases, pauses, wait_ms)
      join lanes l on l.name = a.name and (l.lease = a.lease) is true
      order by l.name collate "C" for no key update of l
    ),
    current as materialized (
      select l.*, coalesce(s.version <> l.version, true) as is_changed from locked l
      left join lateral (select version from lanes where name = l.name limit 1) s on true
    ),
    ${heldCtes(lanes)},
    -- After the locks.
    present as materialized (select ${clock()} as at from (select count(*) from held) as waited),
    ${publishCtes(clock)},
    tried as (
      update events w set
        status = case outcome when 'dead' then 'dead' else w.status end,
        attempts = held.attempts + 1,
        due_at = case outcome when 'retry' then at + after_ms else w.due_at end,
        lane_place = case when outcome = 'retry' and ordered = 0 then at + after_ms else w.lane_place end,
        last_error = error, awaited_targets = targets
      from held, present where w.sequence = held.event and outcome in ('retry', 'dead')
    ),
    ${failureCtes(clock, 'publish', sql`response`)},
    released as (
      update events w set due_at = at + after_ms,
        lane_place = case when ordered = 0 then at + after_ms else w.lane_place end
      from held, present where w.sequence = held.event and outcome = 'released' and after_ms > 0
    ),
    ${nextCtes},
    kept as (
      update lanes l set version = l.version + 1, due_at = next.due_at, since = next.since, attempts = next.attempts,
        lease = case when not releases then l.lease end,
        lease_ends_at = case when not releases then l.lease_ends_at when next.wait_ms > 0 then at + next.wait_ms
          when l.reserved_until - at between 1 and ${reservedMs}::bigint then l.reserved_until end,
        reserved_until = case when not releases then l.reserved_until end,
        paused_at = case when is_paused then coalesce(l.paused_at, at) end
      from next, present where l.name = next.name and not is_over
    ),
    removed as (
      delete from lanes l using next where l.name = next.name and is_over
    )
    select place, not (is_over or is_paused) and wait_ms = 0 and due_at <= at as is_due from next, present`.execute(
    db,
  )
  const dueByPlace = new Map(rows.map((row) => [row.place, row.is_due]))
  return lanes.map((_, place) => {
    const isDue = dueByPlace.get(place)
    return isDue === undefined ? undefined : { isSettled: true, isDue }
  })
}

/**
 * Creates the part that locks the events; the first settlement of an event counts. A full join finds the lane of each, because a
 * full join is never a nested loop, which would compare each settlement with all lanes.
 */
function heldCtes(lanes: readonly LaneSettlement[]) {
  const asked = lanes.flatMap(({ settlements }, lane) =>
    firstOf(settlements, ({ id }) => id).map((settlement) => ({ ...settlement, lane })),
  )
  return sql`matched as materialized (
      select s.*, l.place as lane, ${laneColumns}, l.ordered from unnest(
        ${asked.map((_, place) => place)}::int[],
        ${asked.map(({ lane }) => lane)}::int[],
        ${asked.map(({ id }) => id)}::text[],
        ${asked.map(({ outcome }) => outcome.status)}::text[],
        ${asked.map(({ outcome }) => outcomeDelay(outcome))}::bigint[],
        ${asked.map(({ outcome }) => ('error' in outcome ? outcome.error : null))}::text[],
        ${asked.map(({ outcome }) => (outcome.status === 'done' && outcome.duplicate === true ? 1 : null))}::smallint[],
        ${asked.map(({ outcome }) => (outcome.status === 'retry' ? toAwaitedTargets(outcome.targets) : null))}::text[],
        ${asked.map(({ outcome }) => toResponseJson(outcome))}::text[]
      ) as s (number, lane_place, id, outcome, after_ms, error, duplicate, targets, response)
      full join current l on l.place = s.lane_place
    ),
    held as materialized (
      select w.sequence as event, w.provider, w.notification, m.number as place, m.outcome, m.after_ms, m.error,
        w.published_sequence as before, m.duplicate, m.targets, m.response, null::text as notify_lease, null::bigint as notify_ms, m.lane, m.name, m.releases, m.wait_ms, m.is_paused,
        m.is_changed, m.ordered, w.due_at, w.since, w.attempts
      from matched m
      join lateral ${selectEventOfKey(sql`m.id`)} k on true
      join events w on w.sequence = k.event and (w.lane = m.name) is true and w.status = 'pending'
      where m.id is not null and m.name is not null
      order by w.sequence for no key update of w
    )`
}

/** Returns the first item of each key, in their order. */
const firstOf = <Item>(items: readonly Item[], getKey: (item: Item) => string): readonly Item[] =>
  [...Map.groupBy(items, getKey).values()].flatMap(([first]) => first ?? [])

const laneColumns = sql.raw('l.name, l.releases, l.wait_ms, l.is_paused, l.is_changed')

/** The part that finds the first open event of each lane after the settlements, among one more than there were. */
const nextCtes = sql`
    firsts as materialized (
      select *, bool_or(is_held) over (partition by sequence) as is_settled from (
        select l.place, ${laneColumns}, w.*, false as is_held from current l, lateral (
          select lane_place, sequence, due_at, since, attempts from events
          where lane = l.name and status = 'pending'
          order by lane_place, sequence limit l.events + 1
        ) w
        union all
        select lane, ${laneColumns}, null, event, null, null, null, true from held l
      ) as found
    ),
    next as materialized (
      select distinct on (place) place, ${laneColumns}, coalesce(since, at) as since, coalesce(attempts, 0) as attempts,
        case when is_changed or since > at then at else greatest(due_at, at) end as due_at,
        releases and due_at is null and not is_changed and not is_paused as is_over
      from present, (
        select place, ${laneColumns}, lane_place, sequence, due_at, since, attempts from firsts l where not is_settled
        union all
        select lane, ${laneColumns}, case ordered when 1 then event else again_at end, event, again_at, since, tried from (
          select *, attempts + case outcome when 'retry' then 1 else 0 end as tried,
            case when after_ms > 0 or outcome = 'retry' then at + after_ms else due_at end as again_at
          from held, present where outcome in ('retry', 'released')
        ) as l
        union all
        select place, ${laneColumns}, null, null, null, null, null from current l
      ) as l
      order by place, lane_place nulls last, sequence
    )`
