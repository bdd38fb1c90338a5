import type { Queue } from '@sallyport/webhooks'
import { sql } from 'kysely'
import type { CommitLimits } from '../internal/commit-limits.ts'
import { databaseClock, fixedClock, type Clock } from '../internal/clock.ts'
import { createQueue, type QueueEnding, type QueueOptions, type ReceivedRow } from '../queue/queue.ts'
import type { EventJson } from '../internal/event-json.ts'
import { BatchQueue } from './batch-queue.ts'
import { durably } from './durable.ts'
import { receiveRows } from './receive.ts'
import { createRescheduling, rescheduleQueue } from './reschedule.ts'
import type { Storage } from './storage.ts'
import { writeOnce, writeTogether } from './write.ts'

export interface PostgresQueueOptions extends QueueOptions {
  /** Milliseconds since the epoch, for tests. @default the clock of the database, on which all processes agree */
  readonly now?: () => number
  /** Bounds of the events that wait to be enqueued. */
  readonly limits?: CommitLimits
}

type Db = Storage['kysely']

export function postgresQueue(
  { kysely, operations, wakeUps }: Storage,
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
      tell: () => {
        wakeUps.tell('queue')
      },
      listen: (wake) =>
        wakeUps.listen((topic) => {
          if (topic === 'queue') wake()
        }),
    },
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
    with present as materialized (select ${clock()} as at, ${durably}),
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
  const nameOf = ({ sequence, lease }: QueueEnding) => `${sequence} ${lease}`
  const firsts = new Map(endings.map((ending) => [nameOf(ending), ending] as const).toReversed())
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
  return endings.map((ending) => held.has(nameOf(ending)) && firsts.get(nameOf(ending)) === ending)
}
