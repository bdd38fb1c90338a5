import type Database from 'better-sqlite3'
import type { ReplayedRow } from '../inbox/inbox.ts'
import { replayId, type ReplayableRow } from '../deliveries/replay-ids.ts'
import type { ReplayCommand } from './commands.ts'

interface EventRow extends ReplayableRow {
  readonly replay_of: number | null
  readonly status: 'published' | 'queued' | 'dead'
  readonly published_sequence: number | null
}

/** Makes the events of deliveries due again. */
export function prepareReplay(connection: Database.Database): (command: ReplayCommand) => ReplayedRow[] {
  const find = connection.prepare<[status: string, at: number, delivery: number], EventRow>(
    `select e.sequence, e.id, e.provider, e.status, e.replay_of, e.published_sequence
     from deliveries d join events e on e.provider = d.provider and e.status = ? and e.received_at = d.received_at
       and e.delivery = d.sequence
     where e.erased = 0 and coalesce(e.lease_ends_at, 0) <= ? and d.sequence = ?`,
  )
  const again = connection.prepare(
    `update events set status = 'pending', attempts = 0, since = ?, due_at = ?, lease = null, lease_ends_at = null
     where sequence = ?`,
  )
  const rename = connection.prepare('update events set id = ? where sequence = ?')
  const restore = connection.prepare(`update events set status = 'published' where sequence = ?`)
  const copy = connection.prepare(
    `insert into events (delivery, provider, received_at, id, name, subject, ts, data, manual, trace, route, status,
       attempts, since, due_at, replay_of)
     select delivery, provider, received_at, ?, name, subject, ts, data, manual, trace, route, 'pending', 0, ?, ?,
       coalesce(replay_of, sequence)
     from events where sequence = ?`,
  )
  const insertKey = connection.prepare(
    `insert into idempotency_keys (scope, key, event, created_at) values ('event', ?, ?, ?)`,
  )
  const oweAgain = connection.prepare(
    `update notifications set status = 'waiting', attempts = 0, lease = null, lease_ends_at = null where event = ?`,
  )
  const oweWhatDied = connection.prepare(
    `update notifications set status = 'waiting', attempts = 0 where event = ? and status = 'dead'`,
  )
  const oweForCopy = connection.prepare(
    `insert into notifications (event, provider, status, attempts, since, due_at)
     select ?, provider, 'waiting', 0, ?, ? from notifications where event = ?`,
  )

  function asNew(event: EventRow, token: string, at: number): string | undefined {
    const { sequence, status, replay_of, published_sequence } = event
    if (status === 'queued' || (status === 'published' && replay_of !== null)) return undefined
    const id = replayId(event, token)
    if (status === 'dead' && published_sequence === null) {
      rename.run(id, sequence)
      again.run(at, at, sequence)
      oweAgain.run(sequence)
      insertKey.run(id, sequence, at)
      return id
    }
    // A published event keeps its position and id; a copy is replayed.
    restore.run(sequence)
    const { lastInsertRowid } = copy.run(id, at, at, sequence)
    oweForCopy.run(lastInsertRowid, at, at, sequence)
    insertKey.run(id, lastInsertRowid, at)
    return id
  }

  function sameId({ sequence, id }: EventRow, at: number): string {
    again.run(at, at, sequence)
    oweWhatDied.run(sequence)
    return id
  }

  return ({ at, deliveries, statuses, token }) =>
    deliveries.flatMap((delivery) =>
      statuses
        .flatMap((status) => find.all(status, at, delivery))
        .sort((a, b) => a.sequence - b.sequence)
        .flatMap((event) => {
          const id = token === undefined ? sameId(event, at) : asNew(event, token, at)
          if (id === undefined) return []
          return [{ delivery, id, republished: token === undefined && event.published_sequence !== null }]
        }),
    )
}
