import type { Work } from '@sallyport/webhooks'
import type Database from 'better-sqlite3'
import type { ClaimCommand, ReceiveCommand } from './commands.ts'

// Rows in one transaction; the next claim that finds nothing goes on.
const portion = 1000

const changes =
  'since = min(since, @at), due_at = min(due_at, @at), lease_ends_at = min(lease_ends_at, @leaseEnd)'
const isFuture = 'coalesce(lease_ends_at, due_at) > @at'

/**
 * Makes work due whose time comes from before the clock was set back: it began in the future, or it waits for longer than
 * any delay. A lease on it lasts for one lease more, so that its holder can end it.
 */
export const rescheduleQueries = {
  publish: `update events set ${changes} where sequence in (
      select sequence from events where status in ('pending', 'queued') and provider = @provider and ${isFuture}
        and ((status = 'pending' and since > @at) or coalesce(lease_ends_at, due_at) > @latest) limit ${portion})`,
  notify: `update notifications set ${changes} where event in (
      select event from notifications where status = 'pending' and provider = @provider and ${isFuture}
        and (since > @at or coalesce(lease_ends_at, due_at) > @latest) limit ${portion})`,
  receive: `update queued_events set ${changes} where sequence in (
      select sequence from queued_events where ${isFuture} and since > @at limit ${portion})`,
} as const

/** @returns reschedules the work of a provider, and returns how much it was */
export function prepareReschedule(
  connection: Database.Database,
  work: Work,
): (command: ClaimCommand, provider: string) => number {
  const statement = connection.prepare(rescheduleQueries[work])
  return ({ at, lease, longestDelayMs = Infinity }, provider) =>
    // A null compares as unknown: without a longest delay, none is too long.
    statement.run({
      ...{ at, provider, leaseEnd: lease.endsAt },
      latest: longestDelayMs === Infinity ? null : at + longestDelayMs,
    }).changes
}

/** @returns reschedules events of the shared queue, and returns how many they were */
export function prepareRescheduleQueue(connection: Database.Database): (command: ReceiveCommand) => number {
  const statement = connection.prepare(rescheduleQueries.receive)
  return ({ at, lease }) => statement.run({ at, leaseEnd: lease.endsAt }).changes
}
