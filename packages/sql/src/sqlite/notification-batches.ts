import type { Settlement } from '@sallyport/webhooks'
import type Database from 'better-sqlite3'
import { collectSent } from '../inbox/sent-notifications.ts'

interface NotificationBatches {
  /**
   * Ends the batches whose notifications are all sent, and returns the ids of these by lease. The notifications of the other
   * batches get their own rows.
   */
  readonly end: (settlements: readonly Settlement[]) => ReadonlyMap<string, Set<string>>
  /** Gives the notifications of batches whose leases have ended their own rows; after the clock was set back, those of later ones too. */
  readonly splitExpired: (at: number) => void
}

export function prepareNotificationBatches(connection: Database.Database): NotificationBatches {
  const count = connection.prepare<[lease: string], number>(
    'select events from notification_batches where lease = ?',
  )
  count.pluck()
  const remove = connection.prepare('delete from notification_batches where lease = ?')
  // A notification that has a row keeps it.
  const split = connection.prepare(
    `insert into notifications (event, provider, status, attempts, since, due_at, lease, lease_ends_at)
     select e.sequence, e.provider, 'pending', 0, b.since, b.since, b.lease, b.lease_ends_at
     from notification_batches b join events e on e.published_sequence between b.first and b.last
     where b.lease = ? and e.notification = 'sent'
     on conflict (event) do nothing`,
  )
  const findExpired = connection.prepare<[at: number, at: number], string>(
    'select lease from notification_batches where lease_ends_at <= ? or since > ?',
  )
  findExpired.pluck()

  return {
    end(settlements) {
      const ended = new Map<string, Set<string>>()
      for (const [lease, ids] of collectSent(settlements)) {
        const events = count.get(lease)
        if (events === undefined) continue
        if (events === ids.size) ended.set(lease, ids)
        else split.run(lease)
        remove.run(lease)
      }
      return ended
    },
    splitExpired(at) {
      for (const lease of findExpired.all(at, at)) {
        split.run(lease)
        remove.run(lease)
      }
    },
  }
}
