import type { Work } from '@sallyport/webhooks'
import type Database from 'better-sqlite3'
import type { ClaimCommand } from './claim.ts'
import type { ClaimLanesCommand } from './claim-lanes.ts'

// Rows per transaction; the next empty claim reschedules the rest.
const maxRows = 1000

const changes =
  'since = min(since, @at), due_at = min(due_at, @at), lease_ends_at = min(lease_ends_at, @leaseEnd)'
const isFuture = 'coalesce(lease_ends_at, due_at) > @at'

/**
 * Makes work due after the clock was set back: work that began in the future, or that waits longer than the longest delay.
 * A lease is extended by one lease duration, so that its holder can settle the work.
 */
export const rescheduleQueries = {
  publish: `update events set ${changes} where sequence in (
      select sequence from events where status in ('pending', 'queued') and lane is null and provider = @provider and ${isFuture}
        and (since > @at or coalesce(lease_ends_at, due_at) > @latest) limit ${maxRows})`,
  notify: `update notifications set ${changes} where event in (
      select event from notifications where status = 'pending' and provider = @provider and ${isFuture}
        and (since > @at or coalesce(lease_ends_at, due_at) > @latest) limit ${maxRows})`,
  lanes: `update lanes set ${changes} where name in (
      select name from lanes where paused_at is null and ${isFuture}
        and (since > @at or coalesce(lease_ends_at, due_at) > @latest) limit ${maxRows})`,
} as const

/** @returns a function that reschedules the work of a provider and returns the number of changed rows */
export function prepareReschedule(
  connection: Database.Database,
  work: Work,
): (command: ClaimCommand, provider: string) => number {
  const statement = connection.prepare(rescheduleQueries[work])
  return (command, provider) => statement.run({ ...getBounds(command), provider }).changes
}

/** @returns a function that reschedules lanes and returns their number */
export function prepareLaneReschedule(connection: Database.Database): (command: ClaimLanesCommand) => number {
  const statement = connection.prepare(rescheduleQueries.lanes)
  return (command) => statement.run(getBounds(command)).changes
}

type Bounds = Pick<ClaimCommand, 'at' | 'lease' | 'longestDelayMs'>

// A null compares as unknown: without a longest delay, no work waits too long.
const getBounds = ({ at, lease, longestDelayMs }: Bounds) => ({
  ...{ at, leaseEnd: lease.endsAt },
  latest: longestDelayMs === undefined ? null : at + longestDelayMs,
})

/**
 * Detects a clock that was set back, so that work is due too late.
 *
 * @returns a function that reports whether a reading is the first one or earlier than the previous one; `reset` makes the
 *   next reading the first one
 */
export function createClockWatch(): { (now: number): boolean; reset(): void } {
  let last = Infinity
  const watch = (now: number) => {
    const hasMovedBack = now < last
    last = now
    return hasMovedBack
  }
  return Object.assign(watch, {
    reset() {
      last = Infinity
    },
  })
}
