import type Database from 'better-sqlite3'
import type { ForwardCommand } from './commands.ts'
import { preparePublication, type Publishable } from './publish-event.ts'

/** Ends events that the shared queue has brought to the bus, whoever holds them. */
export function prepareForward(connection: Database.Database): (command: ForwardCommand) => boolean[] {
  const find = connection.prepare<[id: string], Publishable>(
    `select e.sequence, e.published_sequence from idempotency_keys k join events e on e.sequence = k.event
     where k.scope = 'event' and k.key = ? and e.id = k.key and e.status <> 'published'`,
  )
  const publish = preparePublication(connection)
  return ({ at, ids }) =>
    ids.map((id) => {
      const event = find.get(id)
      if (event === undefined) return false
      publish(event, at)
      return true
    })
}
