import type Database from 'better-sqlite3'

/** What has to be known of an event that is to be published. */
export interface Publishable {
  readonly sequence: number
  /** Its place, when it was published before. */
  readonly published_sequence?: number | null
}

/** Ends events as published, and makes the notifications due that they owe. */
export function preparePublication(connection: Database.Database): (event: Publishable, at: number) => void {
  const nextSequence = connection.prepare<[], { value: number }>(
    `update sequences set value = value + 1 where name = 'published' returning value`,
  )
  const publish = connection.prepare(
    `update events set status = 'published', published_at = ?, published_sequence = ?, lease = null,
       lease_ends_at = null
     where sequence = ?`,
  )
  const publishAgain = connection.prepare(
    `update events set status = 'published', lease = null, lease_ends_at = null where sequence = ?`,
  )
  const oweNotification = connection.prepare(
    `update notifications set status = 'pending', since = ?, due_at = ? where event = ? and status = 'waiting'`,
  )
  return ({ sequence, published_sequence = null }, at) => {
    if (published_sequence === null) publish.run(at, nextSequence.get()?.value, sequence)
    else publishAgain.run(sequence)
    oweNotification.run(at, at, sequence)
  }
}
