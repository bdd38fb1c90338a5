import type Database from 'better-sqlite3'
import type { FailQueuedCommand } from './commands.ts'
import { prepareFailures } from './keep-failure.ts'

/**
 * Records failed attempts of the shared queue to publish events, regardless of their leases; final failures become dead
 * letters.
 */
export function prepareFailQueued(connection: Database.Database): (command: FailQueuedCommand) => boolean[] {
  const fail = (changes: string) =>
    connection
      .prepare<[key: string, id: string], number>(
        `update events set ${changes}attempts = attempts + 1
         where sequence = (select event from idempotency_keys where scope = 'event' and key = ?)
           and id = ? and status in ('pending', 'queued')
         returning sequence`,
      )
      .pluck()
  const postpone = fail('')
  const bury = fail(`status = 'dead', lease = null, lease_ends_at = null, `)
  const keepFailure = prepareFailures(connection)
  return ({ at, failures, isFinal }) =>
    failures.map(({ id, error }) => {
      const sequence = (isFinal ? bury : postpone).get(id, id)
      if (sequence === undefined) return false
      keepFailure(sequence, 'publish', at, error)
      return true
    })
}
