import type Database from 'better-sqlite3'
import type { Settlement, Work } from '@sallyport/webhooks'
import type { SettleResult } from '../inbox/inbox.ts'
import { toAwaitedTargets } from '../inbox/awaited-targets.ts'
import { prepareFailures } from './failures.ts'
import { readSettlements, type SettlementFields } from './fields.ts'
import { prepareNotificationBatches } from './notification-batches.ts'
import { preparePublication } from './publication.ts'
import type { Lease } from './record.ts'

export interface SettleCommand {
  readonly at: number
  readonly work: Work
  readonly settlements: SettlementFields
  /** The lease on notifications that become due. */
  readonly lease: Lease | undefined
}

type Unpublished = Exclude<Settlement['outcome'], { readonly status: 'done' }>

/** Settles attempts, each only under its lease. */
export function prepareSettle(connection: Database.Database): (command: SettleCommand) => SettleResult[] {
  // The plus prevents SQLite from planning the join again for each parameter value, which takes longer than the join.
  const held = {
    publish: connection.prepare<[id: string, lease: string], number>(
      `select e.sequence from idempotency_keys k join events e on e.sequence = k.event
       where k.scope = 'event' and k.key = +? and e.lease = +?`,
    ),
    notify: connection.prepare<[id: string, lease: string], number>(
      `select n.event from idempotency_keys k join notifications n on n.event = k.event
       where k.scope = 'event' and k.key = +? and n.lease = +?`,
    ),
  }
  held.publish.pluck()
  held.notify.pluck()
  const statements = {
    publish: prepareWorkStatements(connection, 'update events set', 'where sequence = ?'),
    notify: prepareWorkStatements(connection, 'update notifications set', 'where event = ?'),
  }
  const storeFailure = prepareFailures(connection)
  const setTargets = connection.prepare('update events set awaited_targets = ? where sequence = ?')
  const fail = (
    work: Work,
    sequence: number,
    at: number,
    { error, targets }: { readonly error: string; readonly targets?: readonly string[] },
  ) => {
    if (work === 'publish') setTargets.run(toAwaitedTargets(targets), sequence)
    storeFailure(work, sequence, at, error)
  }
  const queue = connection.prepare(
    `update events set status = 'queued', attempts = 0, due_at = ?, lease = null, lease_ends_at = null
     where sequence = ?`,
  )
  const send = connection.prepare(
    `update notifications set status = 'sent', lease = null, lease_ends_at = null where event = ?`,
  )
  const batches = prepareNotificationBatches(connection)
  const beginPublication = preparePublication<[lease: string]>(connection, 'e.lease = +?')

  function end(work: Work, sequence: number, outcome: Unpublished, at: number): void {
    const { retry, markDead, postpone, release } = statements[work]
    switch (outcome.status) {
      case 'queued':
        queue.run(at + outcome.redeliverAfterMs, sequence)
        break
      case 'retry':
        retry.run(at + outcome.afterMs, sequence)
        fail(work, sequence, at, outcome)
        break
      case 'dead':
        markDead.run(sequence)
        fail(work, sequence, at, outcome)
        break
      case 'released':
        if (outcome.afterMs) postpone.run(at + outcome.afterMs, sequence)
        else release.run(sequence)
        break
    }
  }

  return ({ at, work, settlements, lease: notificationLease }) => {
    const publication = beginPublication(at, notificationLease)
    const asked = readSettlements(settlements)
    const sent = work === 'notify' ? batches.end(asked) : undefined
    const ended = asked.map(({ id, lease, outcome }): SettleResult => {
      const ids = sent?.get(lease)
      if (ids) return ids.delete(id) ? 'settled' : 'lost'
      const done = outcome.status === 'done'
      if (done && work === 'publish') return publication.publish(id, outcome.duplicate === true, lease)
      const sequence = held[work].get(id, lease)
      if (sequence === undefined) return 'lost'
      if (done) send.run(sequence)
      else end(work, sequence, outcome, at)
      return 'settled'
    })
    publication.finish()
    return ended
  }
}

function prepareWorkStatements(
  connection: Database.Database,
  update: string,
  where: string,
): Record<'retry' | 'markDead' | 'postpone' | 'release', Database.Statement> {
  const free = 'lease = null, lease_ends_at = null'
  return {
    retry: connection.prepare(`${update} attempts = attempts + 1, due_at = ?, ${free} ${where}`),
    markDead: connection.prepare(`${update} status = 'dead', attempts = attempts + 1, ${free} ${where}`),
    postpone: connection.prepare(`${update} due_at = ?, ${free} ${where}`),
    release: connection.prepare(`${update} ${free} ${where}`),
  }
}
