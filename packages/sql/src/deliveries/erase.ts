import type { EventStatus } from '@sallyport/webhooks'
import { sql } from 'kysely'
import { withoutData } from '../internal/event-json.ts'
import { wasRenamed } from './replay-events.ts'
import { allEvents } from './terms.ts'
import { splitIntoPortions, type WriteTransaction } from './transaction.ts'

interface EventRow {
  readonly sequence: number
  readonly id: string
  readonly provider: string
  readonly status: EventStatus
  readonly notification: string | null
}

/**
 * Erases the content of a delivery in the inbox, on the embedded bus, in the dead letters of its consumers and in the shared
 * queue.
 *
 * Locks the delivery and its events before reading them: the events of a concurrent resolution or replay are included.
 */
export async function eraseDelivery(
  { db, at, lock }: WriteTransaction,
  id: string,
): Promise<'erased' | 'unknown' | 'unfinished'> {
  const found = await sql<{ sequence: number }>`
    select sequence from deliveries where id = ${id} ${lock('for no key update')}`.execute(db)
  const sequence = found.rows[0]?.sequence
  if (sequence === undefined) return 'unknown'
  const ofDelivery = sql`deliveries d join events e on ${sql.raw(allEvents)} where d.sequence = ${sequence}`
  await sql`select 1 from ${ofDelivery} order by e.sequence ${lock('for update of e')}`.execute(db)
  const { rows: events } = await sql<EventRow>`
    select e.sequence, e.id, e.provider, e.status,
      (select n.status from notifications n where n.event = e.sequence) as notification
    from ${ofDelivery}`.execute(db)
  if (events.some(isUnfinished)) return 'unfinished'
  const ids = [...events.map((event) => event.id), ...(await findFormerIds(db, events))]
  const sequencesWith = (wanted: EventStatus) =>
    events.filter(({ status }) => status === wanted).map(({ sequence }) => sequence)
  const [dead, published] = [sequencesWith('dead'), sequencesWith('published')]
  for (const some of splitIntoPortions(dead))
    await db.deleteFrom('events').where('sequence', 'in', some).execute()
  for (const some of splitIntoPortions(published))
    await db
      .updateTable('events')
      .set({ data: null, data_body: null, erased: 1 })
      .where('sequence', 'in', some)
      .execute()
  await sql`update deliveries set headers = '{}', query = null, erased_at = coalesce(erased_at, ${at}),
      eventless = coalesce(cast(${published.length > 0 ? null : 'resolved'} as text), eventless), quarantine_reason = null
    where sequence = ${sequence}`.execute(db)
  await db.deleteFrom('delivery_bodies').where('delivery', '=', sequence).execute()
  // A dead letter may still have reached the bus.
  for (const some of splitIntoPortions(ids)) {
    for (const table of ['bus_events', 'bus_dead_letters'] as const) {
      const copies = await db.selectFrom(table).select(['id', 'event']).where('id', 'in', some).execute()
      for (const { id, event } of copies)
        await db
          .updateTable(table)
          .set({ event: withoutData(event), ...(table === 'bus_events' && { data_body: null }) })
          .where('id', '=', id)
          .execute()
    }
    const queued = sql.join(some.map((id) => `@${id}`))
    await sql`delete from queued_events where ltrim(id, '0123456789') in (${queued})`.execute(db)
  }
  return 'erased'
}

const isUnfinished = ({ status, notification }: EventRow) =>
  status === 'pending' || status === 'queued' || notification === 'pending'

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
