import type Database from 'better-sqlite3'
import type { ForwardCommand } from './commands.ts'
import { preparePublication } from './publish-event.ts'

/** Marks events as published that the shared queue has moved to the bus, regardless of their leases. */
export function prepareForward(connection: Database.Database): (command: ForwardCommand) => boolean[] {
  const begin = preparePublication<[id: string]>(connection, `e.id = +? and e.status <> 'published'`)
  return ({ at, ids, duplicates }) => {
    const { publish, keep } = begin(at)
    const duplicateIds = new Set(duplicates)
    const known = ids.map((id) => publish(id, duplicateIds.has(id), id))
    keep()
    return known
  }
}
