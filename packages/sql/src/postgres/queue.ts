import type { Queue } from '@sallyport/webhooks'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { ClaimLimits, LeaseRequest } from '../inbox/inbox.ts'
import { databaseClock, fixedClock, type Clock } from '../internal/clock.ts'
import type { CommitLimits } from '../internal/commit-limits.ts'
import type { EventJson } from '../internal/event-json.ts'
import type { InboxTables } from '../internal/tables.ts'
import { createQueue, type QueueEnding, type QueueOptions, type ReceivedRow } from '../queue/queue.ts'
import { BatchQueue } from './batch-queue.ts'
import type { Storage } from './connections.ts'
import { waitForDisk } from './durable.ts'
import { createRescheduling, rescheduleQueue } from './reschedule.ts'
import { writeOnce, writeTogether } from './write.ts'

export interface PostgresQueueOptions extends QueueOptions {
  /** Milliseconds since the epoch, for tests. @default the clock of the database, on which all processes agree */
  readonly now?: () => number
  /** Bounds of the events that wait to be enqueued. */
  readonly limits?: CommitLimits
}

type Db = Storage['kysely']

export function postgresQueue(
  { kysely, operations, wakeUps, schema }: Storage,
  { now, limits, ...options }: PostgresQueueOptions = {},
): Queue {
  const clock = now === undefined ? databaseClock(kysely) : fixedClock(now)
  const arrivals = new BatchQueue<readonly EventJson[], readonly boolean[]>(
    (items) => writeTogether(items, (some) => enqueueRows(kysely, clock, some)),
    { ...limits, concurrency: 1 },
  )
  const endings = new BatchQueue<QueueEnding, boolean>(
    (items) => writeTogether(items, (some) => endLeases(kysely, clock, some)),
    // Settlements add no work: the received events bound them.
    { concurrency: 1, waiting: Infinity, waitingBytes: Infinity },
  )
  const rescheduling = createRescheduling<ReceivedRow>((last, leaseMs) =>
    writeOnce(() => rescheduleQueue(kysely, clock, { last, leaseMs })),
  )
  return createQueue(
    {
      enqueue: (rows, bytes) => operations.run(() => arrivals.add(bytes, () => rows)),
      receive: (limits, lease) =>
        operations.run(() =>
          rescheduling(() => writeOnce(() => receiveRows(kysely, clock, limits, lease)), {
            ...limits,
            leaseMs: lease.leaseMs,
          }),
        ),
      end: (ending) => operations.run(() => endings.add(0, () => ending)),
      notify: () => {
        wakeUps.notify('queue')
      },
      listen: (wake) =>
        wakeUps.listen((topic) => {
          if (topic === 'queue') wake()
        }),
    },
    schema,
    options,
  )
}

/**
 * Enqueues batches in one statement; an id that is already in the queue is a duplicate. Sequences follow the order of
 * arrival. Ids are locked in sorted order, which prevents deadlocks.
 */
async function enqueueRows(
  db: Db,
  clock: Clock,
  batches: readonly (readonly EventJson[])[],
): Promise<readonly (readonly boolean[])[]> {
  const rows = batches.flat()
  const added = await sql<{ id: string }>`
    with present as materialized (select ${clock()} as at, ${waitForDisk}),
    incoming as materialized (
      select id, event, nextval('queued_events_sequence_seq') as sequence
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ event }) => event)}::text[])
        with ordinality as incoming (id, event, place)
      order by place
    )
    insert into queued_events (sequence, id, event, attempts, since, due_at)
    select sequence, id, event, 0, at, at from incoming, present order by id collate "C", sequence
    on conflict (id) do nothing
    returning id`.execute(db)
  const fresh = new Set(added.rows.map(({ id }) => id))
  // The first batch with the id gets the row; the others are duplicates.
  return batches.map((batch) => batch.map(({ id }) => fresh.delete(id)))
}

/** Ends leases in one statement: deletes events, or makes them due again. The first of equal leases counts. */
async function endLeases(db: Db, clock: Clock, endings: readonly QueueEnding[]): Promise<readonly boolean[]> {
  const leaseName = ({ sequence, lease }: QueueEnding) => `${sequence} ${lease}`
  const firsts = new Map(endings.map((ending) => [leaseName(ending), ending] as const).toReversed())
  const asked = [...firsts.values()]
  const { rows } = await sql<{ sequence: number; lease: string }>`
    with held as materialized (
      select q.sequence, q.lease, s.after_ms
      from unnest(
        ${asked.map(({ sequence }) => sequence)}::bigint[],
        ${asked.map(({ lease }) => lease)}::text[],
        ${asked.map(({ afterMs }) => afterMs)}::bigint[]
      ) as s (sequence, lease, after_ms)
      join queued_events q on q.sequence = s.sequence and q.lease = s.lease
      order by q.sequence for update of q
    ),
    done as (
      delete from queued_events q using held where q.sequence = held.sequence and held.after_ms is null
    ),
    given_back as (
      update queued_events q set due_at = (select ${clock()}) + held.after_ms, lease = null, lease_ends_at = null
      from held where q.sequence = held.sequence and held.after_ms is not null
    )
    select sequence, lease from held`.execute(db)
  const held = new Set(rows.map(({ sequence, lease }) => `${sequence} ${lease}`))
  return endings.map((ending) => held.has(leaseName(ending)) && firsts.get(leaseName(ending)) === ending)
}

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
