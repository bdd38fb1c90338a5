import type Database from 'better-sqlite3'
import type { PublishCommand } from './commands.ts'

/** Appends events to the embedded bus, each id once. */
export function prepareBus(connection: Database.Database): (command: PublishCommand) => (number | null)[] {
  const insert = connection.prepare(
    'insert into bus_events (id, event, published_at) values (?, ?, ?) on conflict (id) do nothing',
  )
  return ({ at, events }) =>
    events.map(({ id, event }) => {
      const { changes, lastInsertRowid } = insert.run(id, event, at)
      return changes === 0 ? null : Number(lastInsertRowid)
    })
}
