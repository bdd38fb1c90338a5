import type Database from 'better-sqlite3'
import type { StoredBody } from '../inbox/body.ts'
import { prepareAdmission } from './admit-events.ts'
import type { RecordCommand } from './commands.ts'

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
    `insert into deliveries (id, provider, received_at, headers, body_bytes, eventless, quarantine_reason)
     values (?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertBody = connection.prepare(
    'insert into delivery_bodies (delivery, encoding, bytes, body) values (?, ?, ?, ?)',
  )
  const admit = prepareAdmission(connection)

  function keep(command: RecordCommand, { encoding, bytes, originalBytes }: StoredBody): number | bigint {
    const { id, provider, receivedAt, headers, quarantine } = command
    const state = quarantine ? ['quarantined', quarantine.reason] : [null, null]
    const described = [id, provider, receivedAt, headers, originalBytes, ...state]
    const { lastInsertRowid } = insertDelivery.run(...described)
    insertBody.run(lastInsertRowid, encoding, bytes.byteLength, bytes)
    return lastInsertRowid
  }

  return (command, body) => {
    const { at, events, quarantine } = command
    if (quarantine === undefined) return admit(events, command, () => keep(command, body))
    if (findKey.get(quarantine.key)) return [true]
    insertKey.run(quarantine.key, keep(command, body), at)
    return [false]
  }
}
