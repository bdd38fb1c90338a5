import type Database from 'better-sqlite3'

type Found = [sequence: number, place: number | null, owes: number]

/** Marks events as published within a transaction; call `keep` at the end. */
export interface Publication<Terms extends readonly string[]> {
  /** Returns whether a matching event exists. */
  readonly publish: (id: string, isDuplicate: boolean, ...terms: Terms) => boolean
  /** Stores the last assigned position. */
  readonly keep: () => void
}

/**
 * Prepares statements that mark events as published and make their notifications due.
 *
 * @param terms SQL conditions on the event `e`, with bound parameters
 */
export function preparePublication<Terms extends readonly string[]>(
  connection: Database.Database,
  terms: string,
): (at: number) => Publication<Terms> {
  const readPlace = connection
    .prepare<[], number>(`select value from sequences where name = 'published'`)
    .pluck()
  const writePlace = connection.prepare(`update sequences set value = ? where name = 'published'`)
  // The plus prevents SQLite from planning the join again for each parameter value, which takes longer than the join.
  const find = connection.prepare<[id: string, ...Terms], Found>(
    `select e.sequence, e.published_sequence,
       exists (select 1 from notifications n where n.event = e.sequence and n.status = 'waiting')
     from idempotency_keys k join events e on e.sequence = k.event
     where k.scope = 'event' and k.key = +? and ${terms}`,
  )
  find.raw()
  // `returning` would make SQLite keep a statement journal.
  const publish = connection.prepare<[at: number, place: number, duplicate: 1 | null, event: number]>(
    `update events set status = 'published', published_at = ?, published_sequence = ?, duplicate = ?, lease = null,
       lease_ends_at = null
     where sequence = ?`,
  )
  const publishAgain = connection.prepare<[duplicate: 1 | null, event: number]>(
    `update events set status = 'published', duplicate = ?, lease = null, lease_ends_at = null where sequence = ?`,
  )
  const oweNotification = connection.prepare(
    `update notifications set status = 'pending', since = ?, due_at = ? where event = ?`,
  )

  return (at) => {
    // One counter for all events: a statement per event takes as long as its publication.
    const last = readPlace.get() ?? 0
    let given = last
    return {
      publish(id, isDuplicate, ...values) {
        const event = find.get(id, ...values)
        if (event === undefined) return false
        const [sequence, place, owes] = event
        const duplicate = isDuplicate ? 1 : null
        if (place === null) publish.run(at, ++given, duplicate, sequence)
        else publishAgain.run(duplicate, sequence)
        if (owes === 1) oweNotification.run(at, at, sequence)
        return true
      },
      keep() {
        if (given > last) writePlace.run(given)
      },
    }
  }
}
