import type { Settlement, Work } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { LeaseRequest, SettleResult } from '../inbox/inbox.ts'
import { toAwaitedTargets } from '../inbox/awaited-targets.ts'
import { maxFailures } from '../inbox/stored.ts'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { prepared } from './prepared.ts'
import { selectEventOfKey, workTables } from './work-tables.ts'

// A statement costs about as much as thirty settlements: under load, settlements share a statement.
export const gatherEndings = {
  milliseconds: 25,
  isEnough: (calls: readonly (readonly unknown[])[]): boolean =>
    calls.reduce((sum, { length }) => sum + length, 0) >= 100,
}

export interface SettleItem {
  readonly settlement: Settlement
  /** The lease on the notification if it becomes due. */
  readonly lease: LeaseRequest | undefined
}

/**
 * Settles attempts in one statement, each only under its lease. Rows are locked in the order of all other statements.
 */
export async function settleWork(
  db: Kysely<InboxTables>,
  clock: Clock,
  work: Work,
  items: readonly SettleItem[],
): Promise<readonly SettleResult[]> {
  // The first settlement under a lease counts.
  const firsts = new Map<string, number>()
  for (const [index, { settlement }] of items.entries()) {
    const name = settlementName(settlement)
    if (!firsts.has(name)) firsts.set(name, index)
  }
  const places = [...firsts.values()]
  const chosen = places.flatMap((place) => items[place] ?? [])
  const asked = chosen.map(({ settlement }) => settlement)
  const { table, event } = workTables[work]
  const { rows } = await sql<{ place: number; notifies: boolean }>`${prepared}
    with held as materialized (
      select ${event} as event, s.place, s.outcome, s.after_ms, s.error${
        work === 'publish'
          ? sql`, w.provider, w.notification, w.published_sequence as before, s.duplicate, s.notify_lease, s.notify_ms, s.targets`
          : sql``
      }
      from unnest(
        ${places}::int[],
        ${asked.map(({ id }) => id)}::text[],
        ${asked.map(({ lease }) => lease)}::text[],
        ${asked.map(({ outcome }) => outcome.status)}::text[],
        ${asked.map(({ outcome }) => outcomeDelay(outcome))}::bigint[],
        ${asked.map(({ outcome }) => ('error' in outcome ? outcome.error : null))}::text[],
        ${asked.map(({ outcome }) => (outcome.status === 'done' && outcome.duplicate === true ? 1 : null))}::smallint[],
        ${chosen.map(({ lease }) => lease?.token ?? null)}::text[],
        ${chosen.map(({ lease }) => lease?.leaseMs ?? null)}::bigint[],
        ${asked.map(({ outcome }) => (outcome.status === 'retry' ? toAwaitedTargets(outcome.targets) : null))}::text[]
      ) as s (place, id, lease, outcome, after_ms, error, duplicate, notify_lease, notify_ms, targets)
      join lateral ${selectEventOfKey(sql`s.id`)} k on true
      -- Nothing to join by: where the planner believes that leases are rare, it would begin with all rows that have one.
      join ${table} w on ${event} = k.event and (w.lease = s.lease) is true
      order by ${event} for no key update of w
    ),
    ${work === 'publish' ? sql`${publishCtes(clock)}, ${queueCtes(clock)}` : sendCtes},
    tried as (
      update ${table} w set
        status = case outcome when 'dead' then 'dead' else w.status end,
        attempts = w.attempts + 1,
        due_at = case outcome when 'retry' then (select ${clock()}) + after_ms else w.due_at end,
        ${work === 'publish' ? sql`last_error = error, awaited_targets = targets,` : sql``}
        lease = null, lease_ends_at = null
      from held where ${event} = held.event and outcome in ('retry', 'dead')
    ),
    ${failureCtes(clock, work)},
    released as (
      update ${table} w set lease = null, lease_ends_at = null,
        due_at = case when after_ms > 0 then (select ${clock()}) + after_ms else w.due_at end
      from held where ${event} = held.event and outcome = 'released'
    )
    select place, ${work === 'publish' ? becomesDue : sql`false`} as notifies
    from held`.execute(db)
  const results = new Map<number, SettleResult>(
    rows.map(({ place, notifies }) => [place, notifies ? 'notify' : 'settled']),
  )
  return items.map(({ settlement }, index) =>
    firsts.get(settlementName(settlement)) === index ? (results.get(index) ?? 'lost') : 'lost',
  )
}

/** JSON, so that the two parts cannot be confused. */
const settlementName = ({ id, lease }: Settlement): string => JSON.stringify([lease, id])

/** The delay of an outcome, in milliseconds. */
export function outcomeDelay(outcome: Settlement['outcome']): number | null {
  if (outcome.status === 'queued') return outcome.redeliverAfterMs
  if (outcome.status === 'released') return outcome.afterMs ?? 0
  return outcome.status === 'retry' ? outcome.afterMs : null
}

const sendCtes = sql`
    ended as (
      update notifications w set status = 'sent', lease = null, lease_ends_at = null
      from held where w.event = held.event and outcome = 'done'
    )`

/** Creates the part that stores the failures after the latest of their work, and deletes the oldest. */
export const failureCtes = (clock: Clock, work: Work, response = sql`null::text`) => sql`
    newest as materialized (
      select event, error, ${response} as response, (select coalesce(max(f.number), 0) from failures f
        where f.event = held.event and f.work = ${work}) as number
      from held where outcome in ('retry', 'dead')
    ),
    failed as (
      insert into failures (event, work, number, at, error, response)
      select event, ${work}, number + 1, (select ${clock()}), error, response from newest
      on conflict do nothing
    ),
    forgotten as (
      delete from failures f using newest
      where f.event = newest.event and f.work = ${work} and f.number <= newest.number + 1 - ${maxFailures}::int
    )`

/**
 * Creates the part of a statement that publishes the events of `held (event, provider, notification, place, outcome, before,
 * duplicate, notify_lease, notify_ms)` whose outcome is `done`. An event that was published before, at the position `before`,
 * keeps its position.
 *
 * The notifications under one lease are a batch, with a row for all of them. The others get their own rows.
 *
 * The update of the counter locks it until the end of the transaction, so that positions become visible in order. The
 * rows are locked first, so that no transaction waits for a lock while it holds the counter.
 */
export const publishCtes = (clock: Clock) => sql`
    published as materialized (
      select event, notification, duplicate, notify_lease, notify_ms, row_number() over (order by place) as position
      from held where outcome = 'done' and before is null
    ),
    counted as materialized (select count(*) as published from published),
    counter as (
      update sequences s set value = s.value + counted.published
      from counted where s.name = 'published' and counted.published > 0
      returning s.value - counted.published as last, ${clock()} as at
    ),
    ended as (
      update events w set status = 'published', published_at = counter.at,
        published_sequence = counter.last + published.position, duplicate = published.duplicate,
        notification = case when published.notification is not null then 'sent' end, lease = null, lease_ends_at = null
      from published, counter where w.sequence = published.event
    ),
    ended_again as (
      update events w set status = 'published', duplicate = held.duplicate,
        notification = case when held.notification is not null then 'sent' end, lease = null, lease_ends_at = null
      from held where w.sequence = held.event and outcome = 'done' and before is not null
    ),
    batches as (
      insert into notification_batches (lease, lease_ends_at, since, first, last, events)
      select notify_lease, at + max(notify_ms), at, counter.last + min(position), counter.last + max(position), count(*)
      from published, counter where notification = 'waiting' and notify_lease is not null
      group by notify_lease, at, counter.last
    ),
    notifications_due as (
      insert into notifications (event, provider, status, attempts, since, due_at)
      select event, provider, 'pending', 0, coalesce(counter.at, ${clock()}), coalesce(counter.at, ${clock()})
      from held left join counter on true
      where outcome = 'done' and notification = 'waiting' and (notify_lease is null or before is not null)
      on conflict (event) do nothing
    )`

/** Whether the notification of a row of `held` became due: under the lease, if there is one. */
const becomesDue = sql`outcome = 'done' and coalesce(notification, '') = 'waiting'
      and (notify_lease is null or before is null)`

/** Creates the part that leaves events to the shared queue, until they are due again. */
const queueCtes = (clock: Clock) => sql`
    queued as (
      update events w set status = 'queued', attempts = 0,
        due_at = (select ${clock()}) + after_ms, lease = null, lease_ends_at = null
      from held where w.sequence = held.event and outcome = 'queued'
    )`

/** Marks events as published that the shared queue has moved to the bus, regardless of their leases. */
export async function forwardEvents(
  db: Kysely<InboxTables>,
  clock: Clock,
  ids: readonly string[],
  duplicates: readonly string[],
): Promise<readonly boolean[]> {
  const distinct = [...new Set(ids)]
  const { rows } = await sql<{ place: number }>`${prepared}
    with held as materialized (
      select w.sequence as event, w.provider, w.notification, s.place, 'done' as outcome, w.published_sequence as before,
        case when s.id = any(${duplicates}::text[]) then 1::smallint end as duplicate, null::text as notify_lease,
        null::bigint as notify_ms
      from unnest(${distinct}::text[]) with ordinality as s (id, place)
      join lateral ${selectEventOfKey(sql`s.id`)} k on true
      join events w on w.sequence = k.event and w.id = s.id and w.status <> 'published'
      order by w.sequence for no key update of w
    ),
    ${publishCtes(clock)}
    select place from held`.execute(db)
  const forwarded = new Set(rows.map(({ place }) => distinct[place - 1]))
  // The first of equal ids settles the event.
  return ids.map((id) => forwarded.delete(id))
}
