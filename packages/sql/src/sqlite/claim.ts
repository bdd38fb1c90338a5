import type { Work } from '@sallyport/webhooks'
import type Database from 'better-sqlite3'
import { dataBytes } from '../inbox/data-bytes.ts'
import type { ClaimedRow } from '../inbox/claimed.ts'
import type { ClaimLimits } from '../inbox/inbox.ts'
import { prepareNotificationBatches } from './notification-batches.ts'
import type { Lease } from './record.ts'
import { createClockWatch, prepareReschedule } from './reschedule.ts'

export interface ClaimCommand extends ClaimLimits {
  readonly at: number
  readonly work: Work
  readonly lease: Lease
}

const described = `e.id, e.name, e.subject, e.ts, e.data, e.data_body, e.manual, e.trace, e.replay_of, e.route,
  d.id as delivery, d.provider, d.endpoint, d.received_at`

// The conditions and the order of the partial indexes, verbatim: another index would include finished work.
const openEvents = `from events e where e.status in ('pending', 'queued') and e.lane is null and e.provider`
const openNotifications = `from notifications n where n.status = 'pending' and n.provider`

// The plus prevents SQLite from planning the join again for each parameter value, which takes longer than the join.
export const claimQueries = {
  publish: {
    nextProvider: `select e.provider ${openEvents} > ?
      order by e.provider, coalesce(e.lease_ends_at, e.due_at), e.sequence limit 1`,
    due: `select e.sequence ${openEvents} = ? and coalesce(e.lease_ends_at, e.due_at) <= ?
      order by coalesce(e.lease_ends_at, e.due_at), e.sequence limit ?`,
    read: `select coalesce(e.lease_ends_at, e.due_at) as due_at, e.sequence, e.attempts, e.since, ${described}
      from events e join deliveries d on d.sequence = e.delivery where e.sequence = +?`,
    hold: 'update events set lease = ?, lease_ends_at = ? where sequence = ?',
  },
  notify: {
    nextProvider: `select n.provider ${openNotifications} > ?
      order by n.provider, coalesce(n.lease_ends_at, n.due_at), n.event limit 1`,
    due: `select n.event as sequence ${openNotifications} = ? and coalesce(n.lease_ends_at, n.due_at) <= ?
      order by coalesce(n.lease_ends_at, n.due_at), n.event limit ?`,
    read: `select coalesce(n.lease_ends_at, n.due_at) as due_at, n.event as sequence, n.attempts, n.since, ${described}
      from notifications n join events e on e.sequence = n.event join deliveries d on d.sequence = e.delivery
      where n.event = +?`,
    hold: 'update notifications set lease = ?, lease_ends_at = ? where event = ?',
  },
} as const

interface DueRow extends ClaimedRow {
  readonly sequence: number
  readonly due_at: number
}

/** Leases due work. The write lock of the transaction prevents concurrent claims. */
export function prepareClaim(connection: Database.Database): (command: ClaimCommand) => ClaimedRow[] {
  const claims = { publish: prepareWork(connection, 'publish'), notify: prepareWork(connection, 'notify') }
  const { splitExpired } = prepareNotificationBatches(connection)
  return (command) => {
    if (command.work === 'notify') splitExpired(command.at)
    return claims[command.work](command)
  }
}

function prepareWork(connection: Database.Database, work: Work): (command: ClaimCommand) => ClaimedRow[] {
  const queries = claimQueries[work]
  const nextProvider = connection.prepare<[after: string], string>(queries.nextProvider).pluck()
  const findDue = connection
    .prepare<[provider: string, at: number, limit: number], number>(queries.due)
    .pluck()
  const getBytes = connection
    .prepare<[sequence: number], number | null>(`select ${dataBytes} from events e where e.sequence = ?`)
    .pluck()
  const read = connection.prepare<[sequence: number], DueRow>(queries.read)
  const hold = connection.prepare(queries.hold)
  const reschedule = prepareReschedule(connection, work)
  const hasMovedBack = createClockWatch()
  let lastServed = ''

  function* providers(): Generator<string> {
    for (let provider = nextProvider.get(''); provider !== undefined; provider = nextProvider.get(provider)) {
      yield provider
    }
  }

  /** Finds due work per provider, oldest first, starting with the provider after the last served one. */
  function dueByProvider(
    at: number,
    limit: number,
  ): (readonly [provider: string, sequences: readonly number[]])[] {
    const due = Array.from(providers(), (provider) => [provider, findDue.all(provider, at, limit)] as const)
    const some = due.filter(([, sequences]) => sequences.length > 0)
    const next = some.findIndex(([provider]) => provider > lastServed)
    return next > 0 ? [...some.slice(next), ...some.slice(0, next)] : some
  }

  function selectFairly({ at, limit, maxBytes = Infinity }: ClaimCommand): number[] {
    const due = dueByProvider(at, limit)
    const taken: number[] = []
    let bytes = 0
    for (let turn = 0; ; turn++) {
      const before = taken.length
      for (const [provider, sequences] of due) {
        const sequence = sequences[turn]
        if (taken.length === limit || sequence === undefined) continue
        if (maxBytes < Infinity) bytes += getBytes.get(sequence) ?? 0
        if (taken.length > 0 && bytes > maxBytes) return taken
        taken.push(sequence)
        lastServed = provider
      }
      if (taken.length === before) return taken
    }
  }

  /** Where nothing is due, work may wait for a time that the clock has to reach again. */
  function selectDue(command: ClaimCommand): number[] {
    const taken = selectFairly(command)
    if (taken.length > 0 || command.limit === 0 || !hasMovedBack(command.at)) return taken
    let count = 0
    for (const provider of providers()) count += reschedule(command, provider)
    if (count === 0) return taken
    hasMovedBack.reset()
    return selectFairly(command)
  }

  return (command) => {
    const { lease } = command
    const rows = selectDue(command).flatMap((sequence) => read.get(sequence) ?? [])
    for (const { sequence } of rows) hold.run(lease.token, lease.endsAt, sequence)
    return rows.sort((a, b) => a.due_at - b.due_at || a.sequence - b.sequence)
  }
}
