import type { LeaseRequest, Recorded } from '../inbox/inbox.ts'
import type { StoredEvent } from '../inbox/stored.ts'
import { sql } from 'kysely'
import { isOfLanes, isOrdered, openLanes, placeAt, toRevivedLane, type OpenedLane } from './lanes.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

interface DeliveryRow {
  readonly sequence: number
  readonly provider: string
  readonly endpoint: string | null
  readonly received_at: number
}

/**
 * Gives a quarantined delivery its events.
 *
 * @returns the results of the keys, or undefined when no such delivery is in quarantine
 */
export async function resolveDelivery(
  transaction: WriteTransaction,
  id: string,
  events: readonly StoredEvent[],
  lease: LeaseRequest | undefined,
): Promise<readonly Recorded[] | undefined> {
  const { db, lock } = transaction
  const { rows } = await sql<DeliveryRow>`
    select sequence, provider, endpoint, received_at from deliveries
    where id = ${id} and eventless = 'quarantined' and erased_at is null ${lock('for no key update')}`.execute(
    db,
  )
  const [delivery] = rows
  if (delivery === undefined) return undefined
  const firsts = [...Map.groupBy(events, (event) => event.id).values()].flatMap(([first]) => first ?? [])
  const { leased, opened } = await openLanesFor(transaction, firsts, lease)
  const newKeys = await insertKeys(
    transaction,
    firsts.map((event) => event.id),
  )
  const added = firsts.filter((event) => newKeys.has(event.id))
  for (const some of splitIntoPortions(firsts.filter((event) => !newKeys.has(event.id))))
    await revive(transaction, some, opened)
  for (const some of splitIntoPortions(added)) await addEvents(transaction, delivery, some, lease)
  await db
    .updateTable('deliveries')
    .set({ eventless: added.length > 0 ? null : 'resolved', quarantine_reason: null })
    .where('sequence', '=', delivery.sequence)
    .execute()
  const isNew = new Set(added)
  return events.map((event) => {
    if (!isNew.has(event)) return 'known'
    const isLeased = lease !== undefined && (event.lane === null || leased.has(event.lane.name))
    return isLeased ? 'leased' : 'new'
  })
}

/** Makes the lanes of new events and of dead letters due. Returns their names, and those of the lanes that have the lease. */
async function openLanesFor(
  transaction: WriteTransaction,
  events: readonly StoredEvent[],
  lease: LeaseRequest | undefined,
): Promise<Readonly<Record<'leased' | 'opened', ReadonlySet<string>>>> {
  const known = new Set<string>()
  const lanes: OpenedLane[] = []
  for (const some of splitIntoPortions(events)) {
    const { rows } = await sql<{ key: string; lane: string | null; ordered: number }>`
      select k.key, e.lane, ${isOrdered} as ordered
      from idempotency_keys k left join events e on e.sequence = k.event and e.status = 'dead'
      where k.scope = 'event' and k.key in (${sql.join(some.map(({ id }) => id))})`.execute(transaction.db)
    for (const { key, lane, ordered } of rows) {
      known.add(key)
      if (lane !== null) lanes.push(toRevivedLane({ lane, ordered }))
    }
  }
  for (const { id, lane } of events)
    if (lane !== null && !known.has(id)) lanes.push({ ...lane, isLeased: true })
  const leased = await openLanes(transaction, lanes, lease)
  return { leased, opened: new Set(lanes.map(({ name }) => name)) }
}

/** Inserts keys in sorted order, so that transactions with the same keys cannot deadlock. Returns the new keys. */
async function insertKeys(
  { db, at }: WriteTransaction,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const sorted = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const added = new Set<string>()
  for (const some of splitIntoPortions(sorted)) {
    const keys = await db
      .insertInto('idempotency_keys')
      .values(some.map((key) => ({ scope: 'event', key, created_at: at })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .execute()
    for (const { key } of keys) added.add(key)
  }
  return added
}

async function addEvents(
  { db, at }: WriteTransaction,
  { sequence: delivery, provider, endpoint, received_at }: DeliveryRow,
  events: readonly StoredEvent[],
  lease: LeaseRequest | undefined,
): Promise<void> {
  const due = { status: 'pending', attempts: 0, since: at, due_at: at } as const
  const leased = { lease: lease?.token ?? null, lease_ends_at: lease ? at + lease.leaseMs : null }
  const free = { lease: null, lease_ends_at: null }
  const rows = await db
    .insertInto('events')
    .values(
      events.map(({ id, name, subject, ts, data, manual, trace, replayOf, route, notify, lane }) => ({
        delivery,
        provider,
        endpoint,
        received_at,
        id,
        name,
        subject,
        ts,
        data,
        manual: Number(manual),
        trace,
        replay_of: replayOf ?? null,
        route,
        notification: notify ? ('waiting' as const) : null,
        ...due,
        ...(lane === null ? leased : free),
        lane: lane?.name ?? null,
        lane_place: lane && (lane.isOrdered ? 0 : at),
      })),
    )
    .returning(['sequence', 'id'])
    .execute()
  const sequences = sql.join(rows.map(({ sequence }) => sequence))
  await sql`update events set lane_place = sequence where sequence in (${sequences}) and lane_place = 0`.execute(
    db,
  )
  const pairs = rows.map(({ id, sequence }) => sql`(cast(${id} as text), cast(${sequence} as bigint))`)
  await sql`update idempotency_keys set event = column2 from (values ${sql.join(pairs)}) as added
    where scope = 'event' and key = column1`.execute(db)
}

/** Revives the dead letters with these keys. */
async function revive(
  { db, at, lock }: WriteTransaction,
  known: readonly StoredEvent[],
  opened: ReadonlySet<string>,
): Promise<void> {
  const { rows: dead } = await sql<{ sequence: number; lane: string | null }>`
    select e.sequence, e.lane from idempotency_keys k join events e on e.sequence = k.event and e.status = 'dead'
    where k.scope = 'event' and k.key in (${sql.join(known.map(({ id }) => id))})
    order by e.sequence ${lock('for no key update of e')}`.execute(db)
  const rows = dead.filter(isOfLanes(opened))
  if (rows.length === 0) return
  await sql`update events set status = 'pending', attempts = 0, since = ${at}, due_at = ${at}, lease = null,
      lease_ends_at = null, lane_place = ${placeAt(at)}
    where sequence in (${sql.join(rows.map(({ sequence }) => sequence))})`.execute(db)
}
