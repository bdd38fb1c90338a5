import type Database from 'better-sqlite3'
import type { Settlement, Work } from '@sallyport/webhooks'
import type { SettleCommand } from './commands.ts'
import { preparePublication, type Publishable } from './publish-event.ts'
import { prepareFailures } from './keep-failure.ts'

/** Ends attempts, each only under the lease that it was made under. */
export function prepareSettle(connection: Database.Database): (command: SettleCommand) => boolean[] {
  const held = {
    publish: connection.prepare<[id: string, lease: string], Publishable>(
      `select e.sequence, e.published_sequence from idempotency_keys k join events e on e.sequence = k.event
       where k.scope = 'event' and k.key = ? and e.lease = ?`,
    ),
    notify: connection.prepare<[id: string, lease: string], Publishable>(
      `select n.event as sequence from idempotency_keys k join notifications n on n.event = k.event
       where k.scope = 'event' and k.key = ? and n.lease = ?`,
    ),
  }
  const statements = {
    publish: statementsOf(connection, 'update events set', 'where sequence = ?'),
    notify: statementsOf(connection, 'update notifications set', 'where event = ?'),
  }
  const queue = connection.prepare(
    `update events set status = 'queued', attempts = 0, since = ?, due_at = ?, lease = null, lease_ends_at = null
     where sequence = ?`,
  )
  const send = connection.prepare(
    `update notifications set status = 'sent', lease = null, lease_ends_at = null where event = ?`,
  )
  const publish = preparePublication(connection)
  const keepFailure = prepareFailures(connection)

  function end(work: Work, event: Publishable, outcome: Settlement['outcome'], at: number): void {
    const { sequence } = event
    const { retry, bury, release } = statements[work]
    switch (outcome.status) {
      case 'done':
        if (work === 'notify') send.run(sequence)
        else publish(event, at)
        break
      case 'queued': {
        const dueAt = at + outcome.redeliverAfterMs
        queue.run(dueAt, dueAt, sequence)
        break
      }
      case 'retry':
        retry.run(at + outcome.afterMs, sequence)
        keepFailure(sequence, work, at, outcome.error)
        break
      case 'dead':
        bury.run(sequence)
        keepFailure(sequence, work, at, outcome.error)
        break
      case 'released':
        release.run(sequence)
        break
    }
  }

  return ({ at, work, settlements }) =>
    settlements.map(({ id, lease, outcome }) => {
      const row = held[work].get(id, lease)
      if (row === undefined) return false
      end(work, row, outcome, at)
      return true
    })
}

function statementsOf(
  connection: Database.Database,
  update: string,
  where: string,
): Record<'retry' | 'bury' | 'release', Database.Statement> {
  const free = 'lease = null, lease_ends_at = null'
  return {
    retry: connection.prepare(`${update} attempts = attempts + 1, due_at = ?, ${free} ${where}`),
    bury: connection.prepare(`${update} status = 'dead', attempts = attempts + 1, ${free} ${where}`),
    release: connection.prepare(`${update} ${free} ${where}`),
  }
}
