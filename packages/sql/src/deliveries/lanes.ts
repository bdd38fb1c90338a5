import type { Lane } from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'
import type { LeaseRequest } from '../inbox/inbox.ts'
import { escapeText } from '../internal/text.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

/** A lane that gets an open event. */
export interface OpenedLane extends Lane {
  /** Whether all of its new events are those of the requested lease. */
  readonly isLeased: boolean
}

/**
 * Makes lanes due, and locks them before any key or event is locked. Lanes are locked in the order of their names, so that
 * two transactions cannot deadlock. The sequences of events that are inserted afterwards follow the order of commits.
 *
 * @returns the names of the lanes that had no row and have the lease now
 */
export async function openLanes(
  { db, at }: WriteTransaction,
  lanes: readonly OpenedLane[],
  lease?: LeaseRequest,
): Promise<ReadonlySet<string>> {
  const byName = new Map<string, OpenedLane>()
  for (const lane of lanes) {
    const isLeased = lane.isLeased && byName.get(lane.name)?.isLeased !== false
    byName.set(lane.name, { ...lane, isLeased })
  }
  const sorted = [...byName.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  const leased = new Set<string>()
  for (const some of splitIntoPortions(sorted)) {
    const rows = await db
      .insertInto('lanes')
      .values(
        some.map(({ name, isOrdered, isLeased }) => ({
          ...{ name, ordered: Number(isOrdered), due_at: at, since: at, attempts: 0 },
          lease: isLeased && lease ? lease.token : null,
          lease_ends_at: isLeased && lease ? at + lease.leaseMs : null,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({
          version: sql`lanes.version + 1`,
          ordered: sql`excluded.ordered`,
          due_at: sql`case when lanes.due_at < excluded.due_at then lanes.due_at else excluded.due_at end`,
        }),
      )
      .returning(['name', 'lease'])
      .execute()
    for (const row of rows) if (lease && row.lease === lease.token) leased.add(row.name)
  }
  return leased
}

/**
 * Makes lanes due whose names begin with a prefix, and returns their number. A lane whose first event is due later waits for
 * the event, and is not counted again. Reads all lanes.
 */
export async function makeLanesDue(
  { db, at, lock }: WriteTransaction,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<number> {
  const start = escapeText(prefix)
  const now = sql`cast(${at} as bigint)`
  const dueAt = sql`coalesce((select case when e.due_at > ${now} then e.due_at else ${now} end
    from events e where e.lane = lanes.name and e.status = 'pending' order by e.lane_place, e.sequence limit 1), ${now})`
  const { rows } = await sql`
    update lanes set due_at = ${dueAt}, lease_ends_at = null, version = version + 1 where name in (
      select name from lanes where substr(name, 1, ${sql.lit(start.length)}) = ${start}
        and lease is null and coalesce(lease_ends_at, due_at) > ${at} and coalesce(lease_ends_at, due_at) > ${dueAt}
      order by due_at limit ${limit} ${lock('for no key update skip locked')})
    returning name`.execute(db)
  return rows.length
}

interface LaneRow {
  readonly lane: string
  readonly ordered: number
}

/**
 * Makes the lanes of the events `e` of a query due, and returns their names. On PostgreSQL, an event of another lane may match
 * the query later: it must not become open in a lane that has no row.
 */
export async function openLanesOf(
  transaction: WriteTransaction,
  events: RawBuilder<unknown>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<LaneRow>`
    select distinct e.lane, ${isOrdered} as ordered from ${events} and e.lane is not null`.execute(
    transaction.db,
  )
  await openLanes(transaction, rows.map(toRevivedLane))
  return new Set(rows.map(({ lane }) => lane))
}

/** Whether an event has no lane, or one of these. */
export const isOfLanes =
  (names: ReadonlySet<string>) =>
  ({ lane }: { readonly lane: string | null }): boolean =>
    lane === null || names.has(lane)

/** Whether the lane of an event `e` was ordered when the event was recorded. */
export const isOrdered = sql<number>`case when e.lane_place = e.sequence then 1 else 0 end`

/** When the lease of an event `e` ends, or that of its lane. */
export const leaseEndsAt = sql<number | null>`coalesce(e.lease_ends_at,
  (select l.lease_ends_at from lanes l where l.name = e.lane and l.lease is not null))`

/** How long a lane stays free for the operator who waits for it, in milliseconds. */
export const reservedMs = 5000

/**
 * Lets an operator change lanes that are under a lease: once it ends, no process claims them for a while. Otherwise a lane with
 * many events is claimed again as soon as it is released. Lanes that another transaction has locked are skipped.
 */
export async function reserveLanes(
  { db, at, lock }: WriteTransaction,
  names: readonly (string | null)[],
): Promise<void> {
  const busy = [...new Set(names)].filter((name) => name !== null)
  for (const some of splitIntoPortions(busy))
    await sql`update lanes set reserved_until = ${at + reservedMs} where name in (
      select name from lanes where name in (${sql.join(some)}) and lease is not null
      ${lock('for no key update skip locked')})`.execute(db)
}

/** A lane with a revived event, which the owner of a new lease does not have. */
export const toRevivedLane = ({ lane, ordered }: LaneRow): OpenedLane => ({
  ...{ name: lane, isOrdered: ordered === 1, isLeased: false },
})

/** Returns the place in its lane of an event that is due at a time. */
export const placeAt = (dueAt: number | RawBuilder<number>): RawBuilder<number | null> =>
  sql`case when events.lane is null or events.lane_place = events.sequence then events.lane_place
    else cast(${dueAt} as bigint) end`
