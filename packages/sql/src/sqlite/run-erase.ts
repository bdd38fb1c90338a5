import type Database from 'better-sqlite3'
import type { ErasureOutcome } from '../inbox/inbox.ts'
import { wasRenamed, type ReplayableRow } from '../deliveries/replay-ids.ts'
import { withoutData } from '../internal/event-json.ts'
import type { EraseCommand } from './commands.ts'

interface DeliveryRow {
  readonly sequence: number
  readonly provider: string
  readonly received_at: number
}

interface EventRow extends ReplayableRow {
  readonly status: 'pending' | 'queued' | 'published' | 'dead'
  readonly owes: number
}

/** Erases the content of a delivery in the inbox, on the embedded bus and in the shared queue. */
export function prepareErase(connection: Database.Database): (command: EraseCommand) => ErasureOutcome {
  const find = connection.prepare<[id: string], DeliveryRow>(
    'select sequence, provider, received_at from deliveries where id = ?',
  )
  const eventsOf = connection.prepare<[provider: string, receivedAt: number, delivery: number], EventRow>(
    `select e.sequence, e.id, e.provider, e.status,
       exists (select 1 from notifications n where n.event = e.sequence and n.status = 'pending') as owes
     from events e where e.provider = ? and e.status in ('pending', 'queued', 'published', 'dead')
       and e.received_at = ? and e.delivery = ?`,
  )
  const deleteBody = connection.prepare('delete from delivery_bodies where delivery = ?')
  const deleteEvent = connection.prepare('delete from events where sequence = ?')
  const eraseEvent = connection.prepare('update events set data = null, erased = 1 where sequence = ?')
  const eraseDelivery = connection.prepare(
    `update deliveries set headers = '{}', erased_at = coalesce(erased_at, ?), eventless = coalesce(?, eventless),
       quarantine_reason = null
     where sequence = ?`,
  )
  const findOnBus = connection.prepare<[id: string], { event: string }>(
    'select event from bus_events where id = ?',
  )
  const findKeys = connection.prepare<[event: number], string>(
    `select key from idempotency_keys where scope = 'event' and event = ?`,
  )
  findKeys.pluck()
  const deleteQueued = connection.prepare('delete from queued_events where id = ?')
  const eraseOnBus = connection.prepare('update bus_events set event = ? where id = ?')

  /** Returns the ids of an event; a dead letter that a replay renamed still has the key of its first id. */
  const idsOf = (event: EventRow): readonly string[] =>
    wasRenamed(event) ? findKeys.all(event.sequence) : [event.id]

  return ({ at, id }) => {
    const delivery = find.get(id)
    if (delivery === undefined) return 'unknown'
    const { sequence, provider, received_at } = delivery
    const events = eventsOf.all(provider, received_at, sequence)
    if (events.some(({ status, owes }) => status === 'pending' || status === 'queued' || owes === 1))
      return 'unfinished'
    for (const event of events) {
      if (event.status === 'dead') deleteEvent.run(event.sequence)
      else eraseEvent.run(event.sequence)
      // A dead letter may still have reached the bus.
      for (const sent of idsOf(event)) {
        const onBus = findOnBus.get(sent)
        deleteQueued.run(sent)
        if (onBus) eraseOnBus.run(withoutData(onBus.event), sent)
      }
    }
    deleteBody.run(sequence)
    const left = events.some(({ status }) => status === 'published')
    eraseDelivery.run(at, left ? null : 'resolved', sequence)
    return 'erased'
  }
}
