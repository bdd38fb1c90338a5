import type { EraseResult, EraseSelection, EventStatus } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import { checkObjectsOf } from '../bodies/unused.ts'
import type { Vault } from '../encryption/vault.ts'
import { withoutContent } from '../internal/event-json.ts'
import type { InboxTables } from '../internal/tables.ts'
import { leaseEndsAt, openLanesOf, reserveLanes } from './lanes.ts'
import { findPlaces } from './list.ts'
import { wasRenamed } from './replay-events.ts'
import { allEvents, isInBatch } from './terms.ts'
import { splitIntoPortions, type RunTransaction, type WriteTransaction } from './transaction.ts'
import { removeValues } from './values.ts'

interface EventRow {
  readonly sequence: number
  readonly delivery: number
  readonly id: string
  readonly provider: string
  readonly status: EventStatus
  readonly lane: string | null
  readonly lease_ends_at: number | null
  readonly notification: string | null
  readonly notification_lease_ends_at: number | null
}

/**
 * Erases the content of a delivery in the inbox, on the embedded bus, in the dead letters of its consumers and in the shared
 * queue.
 */
export async function eraseDelivery(
  transaction: WriteTransaction,
  id: string,
  vault: Vault,
): Promise<'erased' | 'unknown' | 'unfinished'> {
  const { db, lock } = transaction
  const found = await sql<{ sequence: number }>`
    select sequence from deliveries where id = ${id} ${lock('for no key update')}`.execute(db)
  const sequence = found.rows[0]?.sequence
  if (sequence === undefined) return 'unknown'
  const events = await lockEvents(transaction, [sequence])
  if (events.some(isUnfinished)) return 'unfinished'
  await eraseContent(transaction, [sequence], events, vault)
  return 'erased'
}

/** Erases one batch of deliveries with their open work. A delivery stays whole while its work is under way. */
export async function eraseDeliveries(
  reads: Kysely<InboxTables>,
  run: RunTransaction,
  { filter, after, limit }: EraseSelection,
  vault: Vault,
): Promise<EraseResult> {
  const places = await findPlaces(reads, { ...filter, order: 'oldest', ...(after && { after }), limit })
  const last = places.length === limit ? places.at(-1) : undefined
  const sequences = places.map(({ sequence }) => sequence)
  const counts =
    sequences.length === 0
      ? { deliveries: 0, cancelled: 0, busy: 0 }
      : await run((transaction) => eraseSome(transaction, sequences, vault))
  return { ...counts, ...(last && { next: last }) }
}

async function eraseSome(
  transaction: WriteTransaction,
  some: readonly number[],
  vault: Vault,
): Promise<EraseResult> {
  const { db, at, lock } = transaction
  const { rows } = await sql<{ sequence: number }>`
    select sequence from deliveries where sequence in (${sql.join(some)}) and erased_at is null
    order by sequence ${lock('for no key update')}`.execute(db)
  if (rows.length === 0) return { deliveries: 0, cancelled: 0, busy: 0 }
  const events = await lockEvents(
    transaction,
    rows.map(({ sequence }) => sequence),
  )
  const busyEvents = events.filter((event) => isBusy(event, at))
  await reserveLanes(
    transaction,
    busyEvents.map(({ lane }) => lane),
  )
  const busy = new Set(busyEvents.map(({ delivery }) => delivery))
  const deliveries = rows.map(({ sequence }) => sequence).filter((sequence) => !busy.has(sequence))
  const free = events.filter(({ delivery }) => !busy.has(delivery))
  await eraseContent(transaction, deliveries, free, vault)
  const cancelled = free.filter(({ status }) => status === 'pending').length
  return { deliveries: deliveries.length, cancelled, busy: busy.size }
}

/** Locks the events of locked deliveries before reading them: the events of a concurrent resolution or replay are included. */
async function lockEvents(
  transaction: WriteTransaction,
  deliveries: readonly number[],
): Promise<readonly EventRow[]> {
  const { db, lock } = transaction
  const ofDeliveries = sql`deliveries d join events e on ${sql.raw(allEvents)}
    where d.sequence in (${sql.join(deliveries)})`
  await openLanesOf(transaction, sql`${ofDeliveries} and e.status = 'pending'`)
  await sql`select 1 from ${ofDeliveries} order by e.sequence ${lock('for update of e')}`.execute(db)
  const { rows } = await sql<EventRow>`
    select e.sequence, e.delivery, e.id, e.provider, e.status, e.lane, ${leaseEndsAt} as lease_ends_at,
      coalesce(n.status, case when b.lease is not null then 'pending' end) as notification,
      case when n.event is null then b.lease_ends_at else n.lease_ends_at end as notification_lease_ends_at
    from (select e.* from ${ofDeliveries}) as e left join notifications n on n.event = e.sequence
    left join notification_batches b on ${sql.raw(isInBatch)}`.execute(db)
  return rows
}

const isUnfinished = ({ status, notification }: EventRow) =>
  status === 'pending' || status === 'queued' || notification === 'pending'

const isBusy = (event: EventRow, at: number) =>
  event.status === 'queued' ||
  (event.status === 'pending' && (event.lease_ends_at ?? 0) > at) ||
  (event.notification === 'pending' && (event.notification_lease_ends_at ?? 0) > at)

/** Erases the content of locked deliveries with all of their events. Open work ends. */
async function eraseContent(
  { db, at }: WriteTransaction,
  deliveries: readonly number[],
  events: readonly EventRow[],
  vault: Vault,
): Promise<void> {
  if (deliveries.length === 0) return
  await checkObjectsOf({ db, at }, { deliveries, events: events.map(({ sequence }) => sequence) })
  const published = events.filter(({ status }) => status === 'published')
  const sequences = published.map(({ sequence }) => sequence)
  const others = events.filter(({ status }) => status !== 'published').map(({ sequence }) => sequence)
  const ids = [...events.map((event) => event.id), ...(await findFormerIds(db, events))]
  for (const some of splitIntoPortions(others))
    await db.deleteFrom('events').where('sequence', 'in', some).execute()
  for (const some of splitIntoPortions(sequences)) {
    await db
      .updateTable('events')
      .set({ subject: '', data: null, data_body: null, erased: 1, last_error: null })
      .where('sequence', 'in', some)
      .execute()
    await db.deleteFrom('failures').where('event', 'in', some).execute()
  }
  await cancelNotifications(
    db,
    at,
    published.filter(({ notification }) => notification === 'pending'),
  )
  const withPublished = new Set(published.map(({ delivery }) => delivery))
  const eventless = deliveries.filter((delivery) => !withPublished.has(delivery))
  await db.deleteFrom('delivery_bodies').where('delivery', 'in', deliveries).execute()
  await removeValues(db, deliveries)
  await sql`update deliveries set headers = '{}', query = null, erased_at = coalesce(erased_at, ${at}),
      quarantine_reason = null
    where sequence in (${sql.join(deliveries)})`.execute(db)
  if (eventless.length > 0)
    await db
      .updateTable('deliveries')
      .set({ eventless: 'resolved' })
      .where('sequence', 'in', eventless)
      .execute()
  // A dead letter may still have reached the bus.
  await eraseCopies(db, ids, vault)
}

/** Ends pending notifications. The row of a notification counts, also while a batch has it. */
async function cancelNotifications(
  db: WriteTransaction['db'],
  at: number,
  events: readonly EventRow[],
): Promise<void> {
  const cancelled = { status: 'dead', lease: null, lease_ends_at: null } as const
  for (const some of splitIntoPortions(events))
    await db
      .insertInto('notifications')
      .values(
        some.map(({ sequence, provider }) => {
          return { event: sequence, provider, attempts: 0, since: at, due_at: at, ...cancelled }
        }),
      )
      .onConflict((conflict) => conflict.column('event').doUpdateSet(cancelled))
      .execute()
}

/** Erases events on the embedded bus, in the dead letters of its consumers and in the shared queue. */
async function eraseCopies(db: WriteTransaction['db'], ids: readonly string[], vault: Vault): Promise<void> {
  for (const some of splitIntoPortions(ids)) {
    const copies = await db.selectFrom('bus_events').select(['id', 'event']).where('id', 'in', some).execute()
    for (const { id, event } of copies)
      await db
        .updateTable('bus_events')
        .set({ event: withoutContent({ id, event }, vault), data_body: null })
        .where('id', '=', id)
        .execute()
    const dead = await db
      .selectFrom('bus_dead_letters')
      .select(['id', 'event'])
      .where('id', 'in', some)
      .execute()
    for (const { id, event } of dead)
      await db
        .updateTable('bus_dead_letters')
        .set({ event: withoutContent({ id, event }, vault), reason: 'Erased' })
        .where('id', '=', id)
        .execute()
    const queued = sql.join(some.map((id) => `@${id}`))
    await sql`delete from queued_events where ltrim(id, '0123456789') in (${queued})`.execute(db)
  }
}

/** Returns the ids that dead letters had before a replay renamed them: their keys still exist. */
async function findFormerIds(
  db: WriteTransaction['db'],
  events: readonly EventRow[],
): Promise<readonly string[]> {
  const renamed = events.filter(wasRenamed).map(({ sequence }) => sequence)
  if (renamed.length === 0) return []
  const keys = await db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('scope', '=', 'event')
    .where('event', 'in', renamed)
    .execute()
  return keys.map(({ key }) => key)
}
