import type Database from 'better-sqlite3'
import type { StoredEvent } from '../inbox/stored.ts'
import type { RecordCommand } from './commands.ts'

/** The delivery of the events, and how they are recorded. */
export type Admission = Pick<RecordCommand, 'at' | 'lease' | 'provider' | 'receivedAt'>

/**
 * Records events with new keys, and revives dead letters whose keys arrive again.
 *
 * @returns a function that returns for each event whether its key was known. It calls `delivery` for the sequence of the
 *   delivery only when an event is new.
 */
export function prepareAdmission(
  connection: Database.Database,
): (events: readonly StoredEvent[], admission: Admission, delivery: () => number | bigint) => boolean[] {
  const findKey = connection.prepare<[key: string], { event: number | null }>(
    `select event from idempotency_keys where scope = 'event' and key = ?`,
  )
  const insertKey = connection.prepare(
    `insert into idempotency_keys (scope, key, event, created_at) values ('event', ?, ?, ?)`,
  )
  const insertEvent = connection.prepare(
    `insert into events (delivery, provider, received_at, id, name, subject, ts, data, manual, trace, route, status,
       attempts, since, due_at, lease, lease_ends_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, ?, ?, ?, ?)`,
  )
  const insertNotification = connection.prepare(
    `insert into notifications (event, provider, status, attempts, since, due_at) values (?, ?, 'waiting', 0, ?, ?)`,
  )
  const revive = connection.prepare(
    `update events set status = 'pending', attempts = 0, since = ?, due_at = ?, lease = null, lease_ends_at = null
     where sequence = ? and status = 'dead'`,
  )

  return (events, { at, lease, provider, receivedAt }, delivery) => {
    let owner: number | bigint | undefined
    return events.map(({ id, name, subject, ts, data, manual, trace, route, notify }) => {
      const known = findKey.get(id)
      if (known) {
        if (known.event !== null) revive.run(at, at, known.event)
        return true
      }
      owner ??= delivery()
      const described = [id, name, subject, ts, data, Number(manual), trace, route]
      const held = [lease?.token ?? null, lease?.endsAt ?? null]
      const event = insertEvent.run(owner, provider, receivedAt, ...described, at, at, ...held)
      insertKey.run(id, event.lastInsertRowid, at)
      if (notify) insertNotification.run(event.lastInsertRowid, provider, at, at)
      return false
    })
  }
}
