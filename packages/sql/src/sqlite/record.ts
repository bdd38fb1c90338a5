import type Database from 'better-sqlite3'
import type { StoredBody } from '../inbox/body.ts'
import type { Recorded } from '../inbox/inbox.ts'
import type { StoredDelivery, StoredEvent } from '../inbox/stored.ts'
import { bucketSize } from '../deliveries/values.ts'
import { prepareOpenLane } from './open-lane.ts'

export interface Lease {
  readonly token: string
  readonly endsAt: number
}

export interface RecordCommand extends StoredDelivery {
  readonly at: number
  /** The body, or the reference to its object. */
  readonly body: Uint8Array
  /** The length of a body in an object. */
  readonly objectBytes: number | null
  readonly lease: Lease | undefined
}

/** Records a delivery; a delivery without new keys leaves no row. */
export function prepareRecord(
  connection: Database.Database,
): (command: RecordCommand, body: StoredBody) => Recorded[] {
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
  const insertValue = connection.prepare(
    'insert into delivery_values (bucket, hash, delivery) values (?, ?, ?)',
  )
  const admit = prepareAdmission(connection)

  function keep(command: RecordCommand, { encoding, bytes, originalBytes }: StoredBody): number | bigint {
    const { id, provider, endpoint, receivedAt, headers, query, values, quarantine } = command
    const state = quarantine
      ? ['quarantined', quarantine.reason, quarantine.reason.split(': ', 1)[0]]
      : [null, null, null]
    const described = [id, provider, endpoint, receivedAt, headers, query, originalBytes, ...state]
    const { lastInsertRowid } = insertDelivery.run(...described)
    insertBody.run(lastInsertRowid, encoding, bytes.byteLength, bytes)
    const bucket = Math.floor(Number(lastInsertRowid) / bucketSize)
    for (const value of values) insertValue.run(bucket, value, lastInsertRowid)
    return lastInsertRowid
  }

  return (command, body) => {
    const { at, events, quarantine } = command
    if (quarantine === undefined) return admit(events, command, body.bytes, () => keep(command, body))
    if (findKey.get(quarantine.key)) return ['known']
    insertKey.run(quarantine.key, keep(command, body), at)
    return ['new']
  }
}

/**
 * Records events with new keys, and revives dead letters whose keys arrive again.
 *
 * @returns a function that returns the result of each event. It calls `delivery` for the sequence of the delivery only when
 *   an event is new.
 */
function prepareAdmission(
  connection: Database.Database,
): (
  events: readonly StoredEvent[],
  command: RecordCommand,
  body: Uint8Array,
  delivery: () => number | bigint,
) => Recorded[] {
  const findKey = connection.prepare<[key: string], { event: number | null }>(
    `select event from idempotency_keys where scope = 'event' and key = ?`,
  )
  const insertKey = connection.prepare(
    `insert into idempotency_keys (scope, key, event, created_at) values ('event', ?, ?, ?)`,
  )
  const insertEvent = prepareInsert(connection)
  const openLane = prepareOpenLane(connection)
  const revive = prepareRevival(connection, openLane)

  return (events, command, body, delivery) => {
    const { at, lease } = command
    const known = new Set<string>()
    // Dead letters first: a lane that one of them opens has no lease.
    for (const { id } of events) {
      const found = findKey.get(id)
      if (found === undefined) continue
      known.add(id)
      if (found.event !== null) revive(found.event, at)
    }
    let owner: number | bigint | undefined
    return events.map((event) => {
      const { id, lane } = event
      if (known.has(id)) return 'known'
      known.add(id)
      owner ??= delivery()
      const result = lane === null ? (lease ? 'leased' : 'new') : openLane(lane, at, lease)
      const sequence = insertEvent(event, command, owner, body)
      insertKey.run(id, sequence, at)
      return result
    })
  }
}

/** Prepares the insertion of an event; the event of a lane has the lease of its lane only. Returns the sequence. */
function prepareInsert(
  connection: Database.Database,
): (
  event: StoredEvent,
  command: RecordCommand,
  delivery: number | bigint,
  body: Uint8Array,
) => number | bigint {
  const insert = connection.prepare(
    `insert into events (delivery, provider, endpoint, received_at, id, name, subject, ts, data, data_body, manual, trace,
       route, notification, status, attempts, since, due_at, lease, lease_ends_at, lane, lane_place)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, ?, ?, ?, ?, ?, ?)`,
  )
  const findLast = connection.prepare<[], number>(`select seq from sqlite_sequence where name = 'events'`)
  findLast.pluck()
  return (event, { at, provider, endpoint, receivedAt, lease }, delivery, body) => {
    const { id, name, subject, ts, data, dataIsBody, manual, trace, route, notify, lane } = event
    const described = [id, name, subject, ts, data, dataIsBody ? body : null, Number(manual), trace, route]
    const notification = notify ? 'waiting' : null
    const held = lane === null && lease ? [lease.token, lease.endsAt] : [null, null]
    const place = lane?.isOrdered === true ? (findLast.get() ?? 0) + 1 : at
    const placed = lane === null ? [null, null] : [lane.name, place]
    const owner = [delivery, provider, endpoint, receivedAt]
    return insert.run(...owner, ...described, notification, at, at, ...held, ...placed).lastInsertRowid
  }
}

interface DeadLetter {
  readonly lane: string | null
  readonly isOrdered: 0 | 1
}

/** Prepares a function that makes an event due again if it is dead. */
function prepareRevival(
  connection: Database.Database,
  openLane: ReturnType<typeof prepareOpenLane>,
): (event: number, at: number) => void {
  const findDead = connection.prepare<[sequence: number], DeadLetter>(
    `select lane, coalesce(lane_place = sequence, 0) as isOrdered from events where sequence = ? and status = 'dead'`,
  )
  const revive = connection.prepare(
    `update events set status = 'pending', attempts = 0, since = @at, due_at = @at, lease = null, lease_ends_at = null,
       lane_place = case when lane is null or lane_place = sequence then lane_place else @at end
     where sequence = @event`,
  )
  return (event, at) => {
    const dead = findDead.get(event)
    if (dead === undefined) return
    if (dead.lane !== null) openLane({ name: dead.lane, isOrdered: dead.isOrdered === 1 }, at, undefined)
    revive.run({ at, event })
  }
}
