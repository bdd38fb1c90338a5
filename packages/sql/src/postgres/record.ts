import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { LeaseRequest } from '../inbox/inbox.ts'
import type { StoredBody } from '../inbox/body.ts'
import type { InboxTables } from '../internal/tables.ts'
import { durably } from './durable.ts'
import { bytesFrom, pack, textFrom, type Packed } from './packed.ts'
import { prepared } from './prepared.ts'
import type { StoredDelivery } from '../inbox/stored.ts'
import { admitting, firstOfEach, nameOf, type Key } from './admit.ts'

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
): Promise<readonly (readonly boolean[])[]> {
  const asked = items.map(({ delivery }, place) => keysOf(delivery, place + 1))
  const firsts = firstOfEach(asked.flat())
  const fresh = firsts.size === 0 ? new Set() : await insert(db, clock, items, [...firsts.values()])
  return asked.map((keys) => keys.map((key) => firsts.get(nameOf(key)) !== key || !fresh.has(nameOf(key))))
}

function keysOf({ events, quarantine }: StoredDelivery, place: number): readonly Key[] {
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
    with clock as materialized (select ${clock()} as at, ${durably}),
    incoming as materialized (
      select *, nextval('deliveries_sequence_seq') as sequence from ${deliveriesOf(items, headers, bodies)}
    ),
    ${admitting(keys)},
    kept as (
      insert into deliveries (sequence, id, provider, received_at, headers, body_bytes, eventless, quarantine_reason)
      select sequence, id, provider, received_at, ${textFrom(headers, sql`headers_start`, sql`headers_length`)}, body_bytes,
        case when quarantine_reason is not null then 'quarantined' end, quarantine_reason
      from incoming where place in (select place from admitted) order by place
    ),
    bodies as (
      insert into delivery_bodies (delivery, encoding, bytes, body)
      select sequence, encoding, body_length, ${bytesFrom(bodies, sql`body_start`, sql`body_length`)}
      from incoming where place in (select place from admitted)
    )
    select scope, key from fresh`.execute(db)
  return new Set(rows.map(nameOf))
}

function deliveriesOf(items: readonly RecordItem[], headers: Packed, bodies: Packed) {
  const ofDelivery = <T>(value: (delivery: StoredDelivery) => T) =>
    items.map(({ delivery }) => value(delivery))
  const ofBody = <T>(value: (body: StoredBody) => T) => items.map(({ body }) => value(body))
  return sql`unnest(
    ${ofDelivery(({ id }) => id)}::text[],
    ${ofDelivery(({ provider }) => provider)}::text[],
    ${ofDelivery(({ receivedAt }) => receivedAt)}::bigint[],
    ${headers.starts}::int[],
    ${headers.lengths}::int[],
    ${ofDelivery(({ quarantine }) => quarantine?.reason ?? null)}::text[],
    ${ofBody(({ originalBytes }) => originalBytes)}::bigint[],
    ${ofBody(({ encoding }) => encoding)}::text[],
    ${bodies.starts}::int[],
    ${bodies.lengths}::int[],
    ${items.map(({ lease }) => lease?.token ?? null)}::text[],
    ${items.map(({ lease }) => lease?.leaseMs ?? null)}::bigint[]
  ) with ordinality as incoming (id, provider, received_at, headers_start, headers_length, quarantine_reason,
    body_bytes, encoding, body_start, body_length, lease, lease_ms, place)`
}
