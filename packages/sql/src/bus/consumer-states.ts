import type { ConsumerState } from '@sallyport/webhooks/consumer'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { getProcess } from './lease.ts'

/** A count takes time in proportion to its rows. */
export const countUpTo = 10_000

interface StateRow {
  readonly name: string
  readonly position: number
  readonly lease: string | null
  readonly unread: number
  readonly passed: number
  readonly unread_since: number | null
  readonly waiting_since: number | null
  readonly waiting: number
  readonly failing: number
  readonly error: string | null
  readonly dead_letters: number
}

const count = (rows: RawBuilder<unknown>) =>
  sql`(select count(*) from (select 1 from ${rows} limit ${countUpTo}) as counted)`

/** Reads the state of all consumers, by name. */
export async function readConsumerStates(
  db: Kysely<InboxTables>,
  clock: Clock,
): Promise<readonly ConsumerState[]> {
  const waiting = sql`bus_waiting w where w.consumer = c.name`
  const { rows } = await sql<StateRow>`
    select c.name, c.position,
      case when c.lease_ends_at > ${clock()} then c.lease end as lease,
      ${count(sql`bus_events b where b.sequence > c.position`)} as unread,
      ${count(sql`bus_settled s where s.consumer = c.name and s.sequence > c.position`)} as passed,
      (
        select b.published_at from bus_events b where b.sequence > c.position order by b.sequence limit 1
      ) as unread_since,
      (
        select b.published_at from bus_waiting w join bus_events b on b.sequence = w.sequence
        where w.consumer = c.name order by w.sequence limit 1
      ) as waiting_since,
      ${count(waiting)} as waiting,
      ${count(sql`${waiting} and w.due_at is not null and w.error is not null`)} as failing,
      (
        select w.error from ${waiting} and w.due_at is not null and w.error is not null order by w.sequence limit 1
      ) as error,
      ${count(sql`bus_dead_letters d where d.consumer = c.name`)} as dead_letters
    from bus_consumers c order by c.name`.execute(db)
  return rows.map(toState)
}

function toState({ name, position, failing, waiting, ...row }: StateRow): ConsumerState {
  const times = [row.unread_since, row.waiting_since].filter((time) => time !== null)
  return {
    ...{ name, position, waiting, failing },
    pending: Math.min(countUpTo, Math.max(0, row.unread - row.passed) + waiting),
    oldestPendingAt: times.length === 0 ? undefined : Math.min(...times),
    lastError: row.error ?? undefined,
    deadLetters: row.dead_letters,
    process: row.lease === null ? undefined : getProcess(row.lease),
  }
}
