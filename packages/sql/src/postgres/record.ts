import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { LeaseRequest, Recorded } from '../inbox/inbox.ts'
import type { StoredBody } from '../inbox/body.ts'
import type { InboxTables } from '../internal/tables.ts'
import { waitForDisk } from './durable.ts'
import { bytesFrom, pack, textFrom, type Packed } from './packed.ts'
import { prepared } from './prepared.ts'
import type { StoredDelivery } from '../inbox/stored.ts'
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
  const fresh = firsts.size === 0 ? new Set() : await insert(db, clock, items, [...firsts.values()])
  return asked.map((keys, index) =>
    keys.map((key) => {
      if (firsts.get(keyName(key)) !== key || !fresh.has(keyName(key))) return 'known'
      return items[index]?.lease === undefined ? 'new' : 'leased'
    }),
  )
}

function listKeys({ events, quarantine }: StoredDelivery, place: number): readonly Key[] {
  if (quarantine) return [{ place, scope: 'quarantine', key: quarantine.key }]
  return events.map((event) => ({ place, scope: 'event', key: event.id, event }))
}

/** @returns the names of the new keys */
async function insert(
  db: Kysely<InboxTables>,
  clock: Clock,
  items: readonly RecordItem[],
  keys: readonly Key[],
): Promise<ReadonlySet<string>> {
  const headers = pack(items.map(({ delivery }) => delivery.headers))
  const bodies = pack(items.map(({ body }) => body.bytes))
  const { rows } = await sql<Pick<Key, 'scope' | 'key'>>`${prepared}
    with clock as materialized (select ${clock()} as at, ${waitForDisk}),
    incoming as materialized (
      select *, nextval('deliveries_sequence_seq') as sequence,
        ${bytesFrom(bodies, sql`body_start`, sql`body_length`)} as body
      from ${unnestDeliveries(items, headers, bodies)}
    ),
    ${admitCtes(keys)},
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
    )
    select scope, key from fresh`.execute(db)
  return new Set(rows.map(keyName))
}

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
