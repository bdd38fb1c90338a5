import type { LeaseRequest } from '../inbox/inbox.ts'
import type { StoredEvent } from '../inbox/stored.ts'
import { sql } from 'kysely'
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
 * @returns whether each key was known, or undefined when no such delivery is in quarantine
 */
export async function resolveDelivery(
  transaction: WriteTransaction,
  id: string,
  events: readonly StoredEvent[],
  lease: LeaseRequest | undefined,
): Promise<readonly boolean[] | undefined> {
  const { db, lock } = transaction
  const { rows } = await sql<DeliveryRow>`
    select sequence, provider, endpoint, received_at from deliveries
    where id = ${id} and eventless = 'quarantined' and erased_at is null ${lock('for no key update')}`.execute(
    db,
  )
  const [delivery] = rows
  if (delivery === undefined) return undefined
  const firsts = new Map(events.map((event) => [event.id, event] as const).toReversed())
  // Transactions with the same keys cannot deadlock when they insert the keys in the same order.
  const sorted = [...firsts.values()].sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)))
  const added = new Set<StoredEvent>()
  for (const some of splitIntoPortions(sorted))
    for (const event of await addEvents(transaction, delivery, some, lease)) added.add(event)
  await db
    .updateTable('deliveries')
    .set({ eventless: added.size > 0 ? null : 'resolved', quarantine_reason: null })
    .where('sequence', '=', delivery.sequence)
    .execute()
  return events.map((event) => !added.has(event))
}

/** Adds the events with new keys, and revives dead letters whose keys are known. Returns the added events. */
async function addEvents(
  transaction: WriteTransaction,
  { sequence: delivery, provider, endpoint, received_at }: DeliveryRow,
  events: readonly StoredEvent[],
  lease: LeaseRequest | undefined,
): Promise<readonly StoredEvent[]> {
  const { db, at } = transaction
  const keys = await db
    .insertInto('idempotency_keys')
    .values(events.map(({ id }) => ({ scope: 'event', key: id, created_at: at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .execute()
  const newKeys = new Set(keys.map(({ key }) => key))
  const added = events.filter(({ id }) => newKeys.has(id))
  await revive(
    transaction,
    events.filter(({ id }) => !newKeys.has(id)),
  )
  if (added.length === 0) return added
  const due = { status: 'pending', attempts: 0, since: at, due_at: at } as const
  const leased = { lease: lease?.token ?? null, lease_ends_at: lease ? at + lease.leaseMs : null }
  const rows = await db
    .insertInto('events')
    .values(
      added.map(({ id, name, subject, ts, data, manual, trace, route }) => ({
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
        route,
        ...due,
        ...leased,
      })),
    )
    .returning(['sequence', 'id'])
    .execute()
  const pairs = rows.map(({ id, sequence }) => sql`(cast(${id} as text), cast(${sequence} as bigint))`)
  await sql`update idempotency_keys set event = column2 from (values ${sql.join(pairs)}) as added
    where scope = 'event' and key = column1`.execute(db)
  const notified = new Set(added.filter(({ notify }) => notify).map(({ id }) => id))
  const notifications = rows
    .filter(({ id }) => notified.has(id))
    .map(({ sequence }) => ({ event: sequence, provider, ...due, status: 'waiting' as const }))
  if (notifications.length > 0) await db.insertInto('notifications').values(notifications).execute()
  return added
}

async function revive({ db, at, lock }: WriteTransaction, known: readonly StoredEvent[]): Promise<void> {
  if (known.length === 0) return
  const { rows } = await sql<{ sequence: number }>`
    select e.sequence from idempotency_keys k join events e on e.sequence = k.event and e.status = 'dead'
    where k.scope = 'event' and k.key in (${sql.join(known.map(({ id }) => id))})
    order by e.sequence ${lock('for no key update of e')}`.execute(db)
  if (rows.length === 0) return
  await sql`update events set status = 'pending', attempts = 0, since = ${at}, due_at = ${at}, lease = null,
      lease_ends_at = null
    where sequence in (${sql.join(rows.map(({ sequence }) => sequence))})`.execute(db)
}
