import type Database from 'better-sqlite3'
import type { Removed } from '../deliveries/prune.ts'
import { isEmpty, isEnded, isUnfinished } from '../deliveries/terms.ts'
import type { PruneCommand } from './commands.ts'

/** Deletes rows that may still be deleted. */
export function preparePrune(connection: Database.Database): (command: PruneCommand) => Removed {
  const deleteEvent = connection.prepare(`delete from events as e where e.sequence = ? and ${isEnded}`)
  const deleteDelivery = connection.prepare(`delete from deliveries as d where d.sequence = ? and ${isEmpty}`)
  const deleteBody = connection.prepare(
    `delete from delivery_bodies where delivery = ? and not exists (
       select 1 from deliveries d where d.sequence = delivery_bodies.delivery and ${isUnfinished})`,
  )
  const deleteKey = connection.prepare(
    `delete from idempotency_keys where scope = ? and key = ?
       and not exists (select 1 from events e where e.sequence = idempotency_keys.event)
       and not exists (select 1 from deliveries d where d.sequence = idempotency_keys.delivery)`,
  )
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

  return ({ removal }) => ({
    bodies: sum(removal.bodies.map((delivery) => deleteBody.run(delivery).changes)),
    events: sum(removal.events.map((sequence) => deleteEvent.run(sequence).changes)),
    deliveries: sum(removal.deliveries.map((sequence) => deleteDelivery.run(sequence).changes)),
    keys: sum(removal.keys.map(({ scope, key }) => deleteKey.run(scope, key).changes)),
  })
}
