import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import { allEvents } from '../deliveries/terms.ts'
import type { ErasureOutcome } from '../inbox/inbox.ts'
import { wasRenamed } from '../deliveries/replay-ids.ts'
import type { InboxTables } from '../internal/tables.ts'
import { withoutData } from '../internal/event-json.ts'
import { waitForDisk } from './durable.ts'

interface EventRow {
  readonly sequence: number
  readonly id: string
  readonly provider: string
  readonly status: 'pending' | 'queued' | 'published' | 'dead'
  readonly owes: boolean
}

/**
 * Erases the content of a delivery in the inbox, on the embedded bus and in the shared queue.
 *
 * Locks the delivery and its events, in the order of all other statements, before reading them: the events of a
 * concurrent resolution or replay are included.
 */
export function eraseDelivery(db: Kysely<InboxTables>, clock: Clock, id: string): Promise<ErasureOutcome> {
  return db.transaction().execute(async (transaction): Promise<ErasureOutcome> => {
    const delivery = await transaction
      .selectFrom('deliveries')
      .select('sequence')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (delivery === undefined) return 'unknown'
    const { sequence } = delivery
    await sql`select from ${eventsOf(sequence)} order by e.sequence for update of e`.execute(transaction)
    const { rows: events } = await sql<EventRow>`
      select e.sequence, e.id, e.provider, e.status,
        coalesce((select n.status from notifications n where n.event = e.sequence), '') = 'pending' as owes
      from ${eventsOf(sequence)}`.execute(transaction)
    if (events.some(({ status, owes }) => status === 'pending' || status === 'queued' || owes))
      return 'unfinished'
    await sql`select ${waitForDisk}`.execute(transaction)
    const left = events.some(({ status }) => status === 'published')
    const sequences = events.map((event) => event.sequence)
    await sql`delete from events where sequence = any(${sequences}::bigint[]) and status = 'dead'`.execute(
      transaction,
    )
    await sql`update events set data = null, erased = 1 where sequence = any(${sequences}::bigint[])`.execute(
      transaction,
    )
    await sql`update deliveries set headers = '{}', erased_at = coalesce(erased_at, ${clock()}),
        eventless = coalesce(${left ? null : 'resolved'}::text, eventless), quarantine_reason = null
      where sequence = ${sequence}`.execute(transaction)
    await sql`delete from delivery_bodies where delivery = ${sequence}`.execute(transaction)
    // A dead letter may still have reached the bus.
    const ids = [...events.map((event) => event.id), ...(await formerIds(transaction, events))]
    const { rows: onBus } = await sql<{ id: string; event: string }>`
      select id, event from bus_events where id = any(${ids}::text[])`.execute(transaction)
    await sql`update bus_events b set event = erased.event
      from unnest(${onBus.map((row) => row.id)}::text[], ${onBus.map(({ event }) => withoutData(event))}::text[])
        as erased (id, event)
      where b.id = erased.id`.execute(transaction)
    await sql`delete from queued_events where id = any(${ids}::text[])`.execute(transaction)
    return 'erased'
  })
}

/** Returns the ids that dead letters had before a replay renamed them: their keys still exist. */
async function formerIds(db: Kysely<InboxTables>, events: readonly EventRow[]): Promise<readonly string[]> {
  const renamed = events.filter(wasRenamed).map(({ sequence }) => sequence)
  if (renamed.length === 0) return []
  const { rows } = await sql<{ key: string }>`
    select key from idempotency_keys where scope = 'event' and event = any(${renamed}::bigint[])`.execute(db)
  return rows.map(({ key }) => key)
}

const eventsOf = (delivery: number) => sql`deliveries d join events e on ${sql.raw(allEvents)}
  and d.sequence = ${delivery}`
