import { sql, type RawBuilder } from 'kysely'
import type { StoredEvent } from '../inbox/stored.ts'
import { pack, textFrom, type Packed } from './packed.ts'
import { openingCtes } from './record-lanes.ts'
import { selectEventOfKey } from './work-tables.ts'

/** A requested key, of an event or of a quarantined delivery. */
export interface Key {
  /** The position of its delivery in the batch, from 1. */
  readonly place: number
  readonly scope: 'event' | 'quarantine'
  readonly key: string
  readonly event?: StoredEvent
}

export const keyName = ({ scope, key }: Pick<Key, 'scope' | 'key'>): string => `${scope} ${key}`

/** Returns the first of equal keys, by name. */
export function firstByName(keys: readonly Key[]): ReadonlyMap<string, Key> {
  const firsts = new Map<string, Key>()
  for (const key of keys) if (!firsts.has(keyName(key))) firsts.set(keyName(key), key)
  return firsts
}

/**
 * Creates the part of a statement that inserts distinct keys: the new ones are `fresh`, their events are recorded, and
 * dead letters whose keys arrive again are revived.
 *
 * Dead letters of lanes are `dead_in_lanes` instead: their lanes have to be locked before their keys. With `hasLanes`, the
 * lanes of new events are `opened (name, lease)`, and the sequences of events follow the locks of their lanes.
 *
 * The statement provides `clock (at)`, and the deliveries as `incoming (place, sequence, provider, endpoint, received_at,
 * body, lease, lease_ms)`. Keys are inserted in sorted order, so that two transactions with the same keys cannot deadlock; rows of
 * events are locked afterwards, in the order of all other statements.
 *
 * A full join separates new keys from known ones, because a full join is never a nested loop: the planner cannot know
 * the number of keys, and a nested loop would compare each key with all others.
 */
export function admitCtes(keys: readonly Key[], hasLanes: boolean) {
  const data = pack(keys.map(({ event }) => event?.data))
  const ifLanes = (text: RawBuilder<unknown>) => (hasLanes ? text : sql``)
  return sql`
    requested as materialized (select * from ${unnestKeys(keys, data, hasLanes)}),
    ${ifLanes(sql`${openingCtes},`)}
    asked as materialized (
      select requested.*, case scope when 'event' then nextval('events_sequence_seq') end as event
      from requested${ifLanes(sql`, (select count(*) from opened) as locked`)}
    ),
    fresh as (
      insert into idempotency_keys (scope, key, event, delivery, created_at)
      select scope, key, event, case scope when 'quarantine' then incoming.sequence end, at
      from asked join incoming using (place), clock order by scope, key collate "C"
      on conflict (scope, key) do nothing
      returning scope, key
    ),
    judged as materialized (
      select asked.*, fresh.key is not null as is_new from asked full join fresh using (scope, key)
    ),
    admitted as materialized (select * from judged where is_new),
    recorded as (
      insert into events (sequence, delivery, provider, endpoint, received_at, id, name, subject, ts, data, data_body,
        manual, trace, route, notification, status, attempts, since, due_at, lease, lease_ends_at${ifLanes(sql`, lane, lane_place`)})
      select a.event, d.sequence, d.provider, d.endpoint, d.received_at, a.key, a.name, a.subject, a.ts,
        ${textFrom(data, sql`a.data_start`, sql`a.data_length`)}, case when a.data_is_body then d.body end,
        a.manual::int, a.trace, a.route, case when a.notify then 'waiting' end, 'pending', 0, at, at, ${
          hasLanes
            ? sql`case when a.lane is null then d.lease end, case when a.lane is null then at + d.lease_ms end,
        a.lane, case a.ordered when 1 then a.event when 0 then at end`
            : sql`d.lease, at + d.lease_ms`
        }
      from admitted a join incoming d using (place), clock
      where a.scope = 'event'
    ),
    known as materialized (select key from judged where scope = 'event' and not is_new),
    dead as (
      select e.sequence from known
      join lateral ${selectEventOfKey(sql`known.key`)} k on true
      join events e on e.sequence = k.event and e.status = 'dead' and e.lane is null
      order by e.sequence for no key update of e
    ),
    dead_in_lanes as (
      select key from known
      join lateral ${selectEventOfKey(sql`known.key`)} k on true
      join events e on e.sequence = k.event and e.status = 'dead' and e.lane is not null
    ),
    revived as (
      update events e set status = 'pending', attempts = 0, since = at, due_at = at, lease = null, lease_ends_at = null
      from dead, clock where e.sequence = dead.sequence
    )`
}

function unnestKeys(keys: readonly Key[], data: Packed, hasLanes: boolean) {
  const eachEvent = <T>(value: (event: StoredEvent) => T) => keys.map(({ event }) => event && value(event))
  return sql`unnest(
    ${keys.map(({ place }) => place)}::bigint[],
    ${keys.map(({ scope }) => scope)}::text[],
    ${keys.map(({ key }) => key)}::text[],
    ${eachEvent(({ name }) => name)}::text[],
    ${eachEvent(({ subject }) => subject)}::text[],
    ${eachEvent(({ ts }) => ts)}::double precision[],
    ${data.starts}::int[],
    ${data.lengths}::int[],
    ${eachEvent(({ dataIsBody }) => dataIsBody)}::boolean[],
    ${eachEvent(({ manual }) => manual)}::boolean[],
    ${eachEvent(({ trace }) => trace)}::text[],
    ${eachEvent(({ route }) => route)}::text[],
    ${eachEvent(({ notify }) => notify)}::boolean[]${
      hasLanes
        ? sql`,
    ${eachEvent(({ lane }) => lane?.name)}::text[],
    ${eachEvent(({ lane }) => lane && Number(lane.isOrdered))}::smallint[]`
        : sql``
    }
  ) as requested (place, scope, key, name, subject, ts, data_start, data_length, data_is_body, manual, trace, route,
    notify${hasLanes ? sql`, lane, ordered` : sql``})`
}
