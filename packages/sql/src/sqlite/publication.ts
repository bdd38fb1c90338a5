import type Database from 'better-sqlite3'
import type { SettleResult } from '../inbox/inbox.ts'
import type { Lease } from './record.ts'

export interface ForwardCommand {
  readonly at: number
  readonly ids: readonly string[]
  readonly duplicates: readonly string[]
}

type Found = [sequence: number, position: number | null, hasNotification: number]

/** Marks events as published within a transaction; call `storePosition` at the end. */
export interface Publication<Terms extends readonly string[]> {
  /** Returns `lost` when no matching event exists. */
  readonly publish: (id: string, isDuplicate: boolean, ...terms: Terms) => SettleResult
  /** Stores the last assigned position. */
  readonly storePosition: () => void
}

/**
 * Prepares statements that mark events as published and make their notifications due, under a lease if there is one.
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
    `select e.sequence, e.published_sequence,
       exists (select 1 from notifications n where n.event = e.sequence and n.status = 'waiting')
     from idempotency_keys k join events e on e.sequence = k.event
     where k.scope = 'event' and k.key = +? and ${terms}`,
  )
  find.raw()
  // `returning` would make SQLite keep a statement journal.
  const publish = connection.prepare<[at: number, position: number, duplicate: 1 | null, event: number]>(
    `update events set status = 'published', published_at = ?, published_sequence = ?, duplicate = ?, lease = null,
       lease_ends_at = null
     where sequence = ?`,
  )
  const publishAgain = connection.prepare<[duplicate: 1 | null, event: number]>(
    `update events set status = 'published', duplicate = ?, lease = null, lease_ends_at = null where sequence = ?`,
  )
  const makeNotificationDue = connection.prepare(
    `update notifications set status = 'pending', since = ?, due_at = ?, lease = ?, lease_ends_at = ? where event = ?`,
  )

  return (at, lease) => {
    const held = [lease?.token ?? null, lease?.endsAt ?? null]
    // One counter for all events: a statement per event takes as long as its publication.
    const last = readPosition.get() ?? 0
    let assigned = last
    return {
      publish(id, isDuplicate, ...values) {
        const event = find.get(id, ...values)
        if (event === undefined) return 'lost'
        const [sequence, position, hasNotification] = event
        const duplicate = isDuplicate ? 1 : null
        if (position === null) publish.run(at, ++assigned, duplicate, sequence)
        else publishAgain.run(duplicate, sequence)
        if (hasNotification === 0) return 'settled'
        makeNotificationDue.run(at, at, ...held, sequence)
        return 'notify'
      },
      storePosition() {
        if (assigned > last) writePosition.run(assigned)
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
    publication.storePosition()
    return known
  }
}
