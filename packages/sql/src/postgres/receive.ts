import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { ClaimLimits, LeaseRequest } from '../inbox/inbox.ts'
import type { ReceivedRow } from '../queue/queue.ts'
import type { InboxTables } from '../internal/tables.ts'

/**
 * Leases due events in one statement; skips rows that another receiver has locked.
 *
 * Events are measured twice: first to lock no more than are leased, then again for the locked rows, which differ when
 * receivers run concurrently. The size is read without the event.
 */
export async function receiveRows(
  db: Kysely<InboxTables>,
  clock: Clock,
  { limit, maxBytes }: ClaimLimits,
  { token, leaseMs }: LeaseRequest,
): Promise<readonly ReceivedRow[]> {
  const dueAt = sql`coalesce(q.lease_ends_at, q.due_at)`
  const isDue = sql`${dueAt} <= (select at from present)`
  const room = maxBytes ?? null
  const fitting = (some: RawBuilder<unknown>) => sql`
    select sequence, due_at from (
      select sequence, due_at, row_number() over turns as place, sum(bytes) over turns as bytes from (${some}) as found
      window turns as (order by due_at, sequence)
    ) as measured
    where ${room}::bigint is null or place = 1 or bytes <= ${room}::bigint`
  const first = sql`
    select q.sequence, ${dueAt} as due_at, octet_length(q.event) as bytes from queued_events q
    where ${isDue} order by ${dueAt}, q.sequence`
  const { rows } = await sql<ReceivedRow>`
    with present as materialized (select ${clock()} as at),
    locked as materialized (
      select * from (
        ${first} limit (select count(*) from (${fitting(sql`${first} limit ${limit}`)}) as fitting)
        for no key update skip locked
      ) as found
      -- They are no more, but the planner has to be told.
      limit ${limit}
    ),
    due as materialized (${fitting(sql`select * from locked`)}),
    held as (
      update queued_events q set attempts = q.attempts + 1, lease = ${token},
        lease_ends_at = (select ${clock()}) + ${leaseMs}::bigint
      from due where q.sequence = due.sequence
      returning q.sequence, q.id, q.event, q.attempts - 1 as attempts, q.since, due.due_at
    )
    select sequence, id, event, attempts, since from held order by due_at, sequence`.execute(db)
  return rows
}
