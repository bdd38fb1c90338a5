import type Database from 'better-sqlite3'
import type { StoredBody } from '../inbox/body.ts'
import type { StoredDelivery, StoredEvent } from '../inbox/stored.ts'

export interface Lease {
  readonly token: string
  readonly endsAt: number
}

export interface RecordCommand extends StoredDelivery {
  readonly at: number
  readonly body: Uint8Array
  readonly lease: Lease | undefined
}

/** Records a delivery; a delivery without new keys leaves no row. */
export function prepareRecord(
  connection: Database.Database,
): (command: RecordCommand, body: StoredBody) => boolean[] {
  const findKey = connection.prepare<[key: string]>(
    `select 1 from idempotency_keys where scope = 'quarantine' and key = ?`,
  )
  const insertKey = connection.prepare(
    `insert into idempotency_keys (scope, key, delivery, created_at) values ('quarantine', ?, ?, ?)`,
  )
  const insertDelivery = connection.prepare(
    `insert into deliveries (id, provider, endpoint, received_at, headers, query, body_bytes, eventless,
       quarantine_reason, quarantine_code)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertBody = connection.prepare(
    'insert into delivery_bodies (delivery, encoding, bytes, body) values (?, ?, ?, ?)',
  )
  const admit = prepareAdmission(connection)

  function keep(command: RecordCommand, { encoding, bytes, originalBytes }: StoredBody): number | bigint {
    const { id, provider, endpoint, receivedAt, headers, query, quarantine } = command
    const state = quarantine
      ? ['quarantined', quarantine.reason, quarantine.reason.split(': ', 1)[0]]
      : [null, null, null]
    const described = [id, provider, endpoint, receivedAt, headers, query, originalBytes, ...state]
    const { lastInsertRowid } = insertDelivery.run(...described)
    insertBody.run(lastInsertRowid, encoding, bytes.byteLength, bytes)
    return lastInsertRowid
  }

  return (command, body) => {
    const { at, events, quarantine } = command
    if (quarantine === undefined) return admit(events, command, body.bytes, () => keep(command, body))
    if (findKey.get(quarantine.key)) return [true]
    insertKey.run(quarantine.key, keep(command, body), at)
    return [false]
  }
}

/**
 * Records events with new keys, and revives dead letters whose keys arrive again.
 *
 * @returns a function that returns for each event whether its key was known. It calls `delivery` for the sequence of the
 *   delivery only when an event is new.
 */
function prepareAdmission(
  connection: Database.Database,
): (
  events: readonly StoredEvent[],
  command: RecordCommand,
  body: Uint8Array,
  delivery: () => number | bigint,
) => boolean[] {
  const findKey = connection.prepare<[key: string], { event: number | null }>(
    `select event from idempotency_keys where scope = 'event' and key = ?`,
  )
  const insertKey = connection.prepare(
    `insert into idempotency_keys (scope, key, event, created_at) values ('event', ?, ?, ?)`,
  )
  const insertEvent = connection.prepare(
    `insert into events (delivery, provider, endpoint, received_at, id, name, subject, ts, data, data_body, manual, trace,
       route, status, attempts, since, due_at, lease, lease_ends_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, ?, ?, ?, ?)`,
  )
  const insertNotification = connection.prepare(
    `insert into notifications (event, provider, status, attempts, since, due_at) values (?, ?, 'waiting', 0, ?, ?)`,
  )
  const revive = connection.prepare(
    `update events set status = 'pending', attempts = 0, since = ?, due_at = ?, lease = null, lease_ends_at = null
     where sequence = ? and status = 'dead'`,
  )

  return (events, { at, lease, provider, endpoint, receivedAt }, body, delivery) => {
    let owner: number | bigint | undefined
    return events.map(({ id, name, subject, ts, data, dataIsBody, manual, trace, route, notify }) => {
      const known = findKey.get(id)
      if (known) {
        if (known.event !== null) revive.run(at, at, known.event)
        return true
      }
      owner ??= delivery()
      const described = [id, name, subject, ts, data, dataIsBody ? body : null, Number(manual), trace, route]
      const held = [lease?.token ?? null, lease?.endsAt ?? null]
      const event = insertEvent.run(owner, provider, endpoint, receivedAt, ...described, at, at, ...held)
      insertKey.run(id, event.lastInsertRowid, at)
      if (notify) insertNotification.run(event.lastInsertRowid, provider, at, at)
      return false
    })
  }
}
