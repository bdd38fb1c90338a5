import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { LeaseRequest, Recorded } from '../inbox/inbox.ts'
import type { StoredBody } from '../inbox/body.ts'
import type { InboxTables } from '../internal/tables.ts'
import { bucketSize } from '../deliveries/values.ts'
import { waitForDisk } from './durable.ts'
import { bytesFrom, pack, textFrom, type Packed } from './packed.ts'
import { prepared } from './prepared.ts'
import type { StoredDelivery } from '../inbox/stored.ts'
import { reviveInLanes } from './record-lanes.ts'
import { admitCtes, firstByName, keyName, type Key } from './admit.ts'

export interface RecordItem {
  readonly delivery: StoredDelivery
  readonly body: StoredBody
  readonly lease: LeaseRequest | undefined
}

/**
 * Records deliveries in one statement, which is a transaction, so that a stalled process holds no locks.
 *
 * Keys are inserted in sorted order, so that two transactions with the same keys cannot deadlock; a key that another
 * transaction inserts is waited for. Rows of events are locked after the keys, in the order of all other statements.
 */
export async function recordDeliveries(
  db: Kysely<InboxTables>,
  clock: Clock,
  items: readonly RecordItem[],
): Promise<readonly (readonly Recorded[])[]> {
  const asked = items.map(({ delivery }, place) => listKeys(delivery, place + 1))
  const firsts = firstByName(asked.flat())
  if (firsts.size === 0) return asked.map(() => [])
  const { fresh, lanes, dead } = await insert(db, clock, items, [...firsts.values()])
  if (dead.length > 0) await reviveInLanes(db, clock, dead)
  return asked.map((keys, index) =>
    keys.map((key) => {
      if (firsts.get(keyName(key)) !== key || !fresh.has(keyName(key))) return 'known'
      const lease = items[index]?.lease?.token
      const lane = key.event?.lane
      return lease === undefined || (lane && lanes.get(lane.name) !== lease) ? 'new' : 'leased'
    }),
  )
}

function listKeys({ events, quarantine }: StoredDelivery, place: number): readonly Key[] {
  if (quarantine) return [{ place, scope: 'quarantine', key: quarantine.key }]
  return events.map((event) => ({ place, scope: 'event', key: event.id, event }))
}

interface Inserted {
  /** The names of the new keys. */
  readonly fresh: ReadonlySet<string>
  /** The lease of each lane that got an event. */
  readonly lanes: ReadonlyMap<string, string | null>
  /** The known keys of dead letters in lanes. */
  readonly dead: readonly string[]
}

interface InsertedRow {
  readonly kind: Key['scope'] | 'lane' | 'dead'
  readonly name: string
  readonly lease: string | null
}

async function insert(
  db: Kysely<InboxTables>,
  clock: Clock,
  items: readonly RecordItem[],
  keys: readonly Key[],
): Promise<Inserted> {
  const hasLanes = keys.some(({ event }) => event?.lane != null)
  const headers = pack(items.map(({ delivery }) => delivery.headers))
  const bodies = pack(items.map(({ body }) => body.bytes))
  const values = items.flatMap(({ delivery }, index) =>
    delivery.values.map((value) => ({ place: index + 1, value })),
  )
  const { rows } = await sql<InsertedRow>`${prepared}
    with clock as materialized (select ${clock()} as at, ${waitForDisk}),
    incoming as materialized (
      select *, nextval('deliveries_sequence_seq') as sequence,
        ${bytesFrom(bodies, sql`body_start`, sql`body_length`)} as body
      from ${unnestDeliveries(items, headers, bodies)}
    ),
    ${admitCtes(keys, hasLanes)},
    kept as (
      insert into deliveries (sequence, id, provider, endpoint, received_at, headers, query, body_bytes, eventless,
        quarantine_reason, quarantine_code)
      select sequence, id, provider, endpoint, received_at, ${textFrom(headers, sql`headers_start`, sql`headers_length`)},
        query, body_bytes,
        case when quarantine_reason is not null then 'quarantined' end, quarantine_reason, split_part(quarantine_reason, ': ', 1)
      from incoming where place in (select place from admitted) order by place
    ),
    bodies as (
      insert into delivery_bodies (delivery, encoding, bytes, body)
      select sequence, encoding, body_length, body from incoming where place in (select place from admitted)
    )${values.length > 0 ? insertValues(values) : sql``}
    select scope as kind, key as name, null as lease from fresh
    union all select 'dead', key, null from dead_in_lanes
    ${hasLanes ? sql`union all select 'lane', name, lease from opened` : sql``}`.execute(db)
  const inserted = { fresh: new Set<string>(), lanes: new Map<string, string | null>(), dead: [] as string[] }
  for (const { kind, name, lease } of rows) {
    if (kind === 'lane') inserted.lanes.set(name, lease)
    else if (kind === 'dead') inserted.dead.push(name)
    else inserted.fresh.add(keyName({ scope: kind, key: name }))
  }
  return inserted
}

const insertValues = (values: readonly { readonly place: number; readonly value: bigint }[]) => sql`,
    found_by as (
      insert into delivery_values (bucket, hash, delivery)
      select sequence / ${sql.lit(bucketSize)}, value, sequence
      from unnest(${values.map(({ place }) => place)}::bigint[], ${values.map(({ value }) => value)}::bigint[])
        as named (place, value) join incoming using (place)
      where place in (select place from admitted)
    )`

function unnestDeliveries(items: readonly RecordItem[], headers: Packed, bodies: Packed) {
  const eachDelivery = <T>(value: (delivery: StoredDelivery) => T) =>
    items.map(({ delivery }) => value(delivery))
  const eachBody = <T>(value: (body: StoredBody) => T) => items.map(({ body }) => value(body))
  return sql`unnest(
    ${eachDelivery(({ id }) => id)}::text[],
    ${eachDelivery(({ provider }) => provider)}::text[],
    ${eachDelivery(({ endpoint }) => endpoint)}::text[],
    ${eachDelivery(({ receivedAt }) => receivedAt)}::bigint[],
    ${headers.starts}::int[],
    ${headers.lengths}::int[],
    ${eachDelivery(({ query }) => query)}::text[],
    ${eachDelivery(({ quarantine }) => quarantine?.reason ?? null)}::text[],
    ${eachBody(({ originalBytes }) => originalBytes)}::bigint[],
    ${eachBody(({ encoding }) => encoding)}::text[],
    ${bodies.starts}::int[],
    ${bodies.lengths}::int[],
    ${items.map(({ lease }) => lease?.token ?? null)}::text[],
    ${items.map(({ lease }) => lease?.leaseMs ?? null)}::bigint[]
  ) with ordinality as incoming (id, provider, endpoint, received_at, headers_start, headers_length, query,
    quarantine_reason, body_bytes, encoding, body_start, body_length, lease, lease_ms, place)`
}
