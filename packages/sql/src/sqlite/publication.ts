import type Database from 'better-sqlite3'
import type { SettleResult } from '../inbox/inbox.ts'
import type { Lease } from './record.ts'

export interface ForwardCommand {
  readonly at: number
  readonly ids: readonly string[]
  readonly duplicates: readonly string[]
}

type Found = [
  sequence: number,
  position: number | null,
  provider: string,
  notification: 'waiting' | 'sent' | null,
]

/** Marks events as published within a transaction; call `finish` at the end. */
export interface Publication<Terms extends readonly string[]> {
  /** Returns `lost` when no matching event exists. */
  readonly publish: (id: string, isDuplicate: boolean, ...terms: Terms) => SettleResult
  /** Stores the last assigned position, and the batch of the notifications under the lease. */
  readonly finish: () => void
}

/**
 * Prepares statements that mark events as published and make their notifications due. With a lease, the notifications are a
 * batch under it, with one row; otherwise each gets its own row.
 *
 * @param terms SQL conditions on the event `e`, with bound parameters
 */
export function preparePublication<Terms extends readonly string[]>(
  connection: Database.Database,
  terms: string,
): (at: number, lease?: Lease) => Publication<Terms> {
  const readPosition = connection
    .prepare<[], number>(`select value from sequences where name = 'published'`)
    .pluck()
  const writePosition = connection.prepare(`update sequences set value = ? where name = 'published'`)
  // The plus prevents SQLite from planning the join again for each parameter value, which takes longer than the join.
  const find = connection.prepare<[id: string, ...Terms], Found>(
    `select e.sequence, e.published_sequence, e.provider, e.notification
     from idempotency_keys k join events e on e.sequence = k.event
     where k.scope = 'event' and k.key = +? and ${terms}`,
  )
  find.raw()
  // `returning` would make SQLite keep a statement journal.
  const ended = `notification = case when notification is not null then 'sent' end, lease = null, lease_ends_at = null`
  const publish = connection.prepare<[at: number, position: number, duplicate: 1 | null, event: number]>(
    `update events set status = 'published', published_at = ?, published_sequence = ?, duplicate = ?, ${ended}
     where sequence = ?`,
  )
  const publishAgain = connection.prepare<[duplicate: 1 | null, event: number]>(
    `update events set status = 'published', duplicate = ?, ${ended} where sequence = ?`,
  )
  const makeNotificationDue = connection.prepare(
    `insert into notifications (event, provider, status, attempts, since, due_at) values (?, ?, 'pending', 0, ?, ?)
     on conflict (event) do nothing`,
  )
  const insertBatch = connection.prepare(
    `insert into notification_batches (lease, lease_ends_at, since, first, last, events) values (?, ?, ?, ?, ?, ?)`,
  )

  return (at, lease) => {
    // One counter for all events: a statement per event takes as long as its publication.
    const last = readPosition.get() ?? 0
    let assigned = last
    const batch: number[] = []
    return {
      publish(id, isDuplicate, ...values) {
        const event = find.get(id, ...values)
        if (event === undefined) return 'lost'
        const [sequence, position, provider, notification] = event
        const duplicate = isDuplicate ? 1 : null
        if (position === null) publish.run(at, ++assigned, duplicate, sequence)
        else publishAgain.run(duplicate, sequence)
        if (notification !== 'waiting') return 'settled'
        if (lease && position === null) batch.push(assigned)
        else makeNotificationDue.run(sequence, provider, at, at)
        return lease && position !== null ? 'settled' : 'notify'
      },
      finish() {
        if (assigned > last) writePosition.run(assigned)
        const [first] = batch
        if (lease && first !== undefined)
          insertBatch.run(lease.token, lease.endsAt, at, first, batch.at(-1), batch.length)
      },
    }
  }
}

/** Marks events as published that the shared queue has moved to the bus, regardless of their leases. */
export function prepareForward(connection: Database.Database): (command: ForwardCommand) => boolean[] {
  const begin = preparePublication<[id: string]>(connection, `e.id = +? and e.status <> 'published'`)
  return ({ at, ids, duplicates }) => {
    const publication = begin(at)
    const duplicateIds = new Set(duplicates)
    const known = ids.map((id) => publication.publish(id, duplicateIds.has(id), id) !== 'lost')
    publication.finish()
    return known
  }
}
