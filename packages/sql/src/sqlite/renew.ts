import type { HeldLease } from '@sallyport/webhooks'
import type Database from 'better-sqlite3'

export interface RenewCommand {
  readonly leases: readonly HeldLease[]
  readonly endsAt: number
}

/** Extends leases; returns for each whether it was valid. */
export function prepareRenew(connection: Database.Database): (command: RenewCommand) => boolean[] {
  const renewLane = connection.prepare('update lanes set lease_ends_at = ? where name = ? and lease = ?')
  const renewEvent = connection.prepare(
    `update events set lease_ends_at = ?
     where sequence = (select event from idempotency_keys where scope = 'event' and key = ?) and lease = ?`,
  )
  return ({ leases, endsAt }) =>
    leases.map((held) => {
      const renewed =
        'lane' in held
          ? renewLane.run(endsAt, held.lane, held.lease)
          : renewEvent.run(endsAt, held.id, held.lease)
      return renewed.changes === 1
    })
}
