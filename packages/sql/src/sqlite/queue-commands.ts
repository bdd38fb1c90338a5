import type Database from 'better-sqlite3'
import type { ClaimLimits } from '../inbox/inbox.ts'
import type { EventJson } from '../internal/event-json.ts'
import type { QueueEnding, ReceivedRow } from '../queue/queue.ts'
import type { Lease } from './record.ts'
import { createClockWatch, prepareRescheduleQueue } from './reschedule.ts'

export interface AppendCommand {
  readonly at: number
  readonly events: readonly EventJson[]
}

export interface ReceiveCommand extends ClaimLimits {
  readonly at: number
  readonly lease: Lease
}

export interface EndQueuedCommand {
  readonly at: number
  readonly ending: QueueEnding
}

/** Adds events to the shared queue; an id that is already in the queue is a duplicate. */
export function prepareEnqueue(connection: Database.Database): (command: AppendCommand) => boolean[] {
  const insert = connection.prepare(
    `insert into queued_events (id, event, attempts, since, due_at) values (?, ?, 0, ?, ?)
     on conflict (id) do nothing`,
  )
  return ({ at, events }) => events.map(({ id, event }) => insert.run(id, event, at, at).changes === 1)
}

/** Leases due events. The write lock of the transaction prevents concurrent receives. */
export function prepareReceive(connection: Database.Database): (command: ReceiveCommand) => ReceivedRow[] {
  // Reads the stored size of the column first: reading the column would load events that exceed the limit.
  const find = connection.prepare<[at: number, limit: number], { sequence: number; bytes: number }>(
    `select sequence, octet_length(event) as bytes from queued_events
     where coalesce(lease_ends_at, due_at) <= ? order by coalesce(lease_ends_at, due_at), sequence limit ?`,
  )
  const read = connection.prepare<[sequence: number], ReceivedRow>(
    'select sequence, id, event, attempts, since from queued_events where sequence = ?',
  )
  const hold = connection.prepare(
    'update queued_events set attempts = attempts + 1, lease = ?, lease_ends_at = ? where sequence = ?',
  )
  const reschedule = prepareRescheduleQueue(connection)
  const hasMovedBack = createClockWatch()

  function receive({ at, limit, maxBytes = Infinity, lease }: ReceiveCommand): ReceivedRow[] {
    const rows: ReceivedRow[] = []
    let sum = 0
    for (const { sequence, bytes } of find.all(at, limit)) {
      sum += bytes
      if (rows.length > 0 && sum > maxBytes) break
      const row = read.get(sequence)
      if (row === undefined) continue
      hold.run(lease.token, lease.endsAt, sequence)
      rows.push(row)
    }
    return rows
  }

  return (command) => {
    const rows = receive(command)
    if (rows.length > 0 || command.limit === 0 || !hasMovedBack(command.at)) return rows
    if (reschedule(command) === 0) return rows
    hasMovedBack.reset()
    return receive(command)
  }
}

/** Ends a lease: deletes the event, or makes it due again. */
export function prepareEndQueued(connection: Database.Database): (command: EndQueuedCommand) => boolean {
  const remove = connection.prepare('delete from queued_events where sequence = ? and lease = ?')
  const giveBack = connection.prepare(
    `update queued_events set due_at = ?, lease = null, lease_ends_at = null where sequence = ? and lease = ?`,
  )
  return ({ at, ending: { sequence, lease, afterMs } }) => {
    const { changes } =
      afterMs === null ? remove.run(sequence, lease) : giveBack.run(at + afterMs, sequence, lease)
    return changes === 1
  }
}
