import { sql } from 'kysely'
import { embeddedBus, type Appended, type EmbeddedBus } from '../bus/bus.ts'
import type { CommitLimits } from '../internal/commit-limits.ts'
import { databaseClock, fixedClock, type Clock } from '../internal/clock.ts'
import type { EventJson } from '../internal/event-json.ts'
import { BatchQueue } from '../internal/batch-queue.ts'
import { waitForDisk } from './durable.ts'
import type { Storage } from './connections.ts'
import { prepared } from './prepared.ts'
import { selectEventOfKey } from './work-tables.ts'
import { writeTogether } from './write.ts'

export interface PostgresBusOptions {
  /** Milliseconds since the epoch, for tests. @default the clock of the database, on which all processes agree */
  readonly now?: () => number
  /** How many publications may wait. */
  readonly limits?: CommitLimits
}

export function postgresBus(
  { kysely, operations, bodyEvents, schema, vault, bodies }: Storage,
  { now, limits }: PostgresBusOptions = {},
): EmbeddedBus {
  const clock = now === undefined ? databaseClock(kysely) : fixedClock(now)
  const publications = new BatchQueue<readonly EventJson[], readonly Appended[]>(
    (items) => writeTogether(items, (some) => append(kysely, clock, some)),
    // Appends are serialized in the database: concurrent ones of one process would only wait for each other.
    { ...limits, concurrency: 1 },
  )
  return embeddedBus({
    kysely,
    clock,
    bodyEvents,
    schema,
    vault,
    bodies,
    append: (rows, bytes) => operations.run(() => publications.add(bytes, () => rows)),
  })
}

/**
 * Appends publications in one statement, each id once.
 *
 * The lock is taken before the first sequence and lasts to the end of the transaction. Sequences become visible in order,
 * so that a reader that continues from the last sequence misses none.
 */
async function append(
  kysely: Storage['kysely'],
  clock: Clock,
  publications: readonly (readonly EventJson[])[],
): Promise<readonly (readonly Appended[])[]> {
  const rows = publications.flat()
  const appended = await sql<{ id: string; sequence: number | null; missing: number | null }>`${prepared}
    with turn as materialized (
      select pg_advisory_xact_lock(hashtext('sallyport'), hashtext('bus_events')), ${waitForDisk}
    ),
    asked as materialized (
      select id, event, has_body, place, (
        select e.data_body from ${selectEventOfKey(sql`id`)} k join events e on e.sequence = k.event where has_body
      ) as data_body
      from turn, unnest(
        ${rows.map(({ id }) => id)}::text[],
        ${rows.map(({ event }) => event)}::text[],
        ${rows.map(({ hasBody }) => hasBody)}::boolean[]
      ) with ordinality as published (id, event, has_body, place)
    ),
    appended as (
      insert into bus_events (id, event, published_at, data_body)
      select id, event, ${clock()}, data_body from asked
      where data_body is not null or not has_body order by place
      on conflict (id) do nothing
      returning id, sequence
    )
    select id, sequence, null as missing from appended
    union all
    select id, null, place from asked
    where has_body and data_body is null and not exists (select 1 from bus_events b where b.id = asked.id)`.execute(
    kysely,
  )
  const sequences = new Map(
    appended.rows.filter((row) => row.missing === null).map(({ id, sequence }) => [id, sequence]),
  )
  const missing = new Set(appended.rows.map((row) => row.missing))
  let place = 0
  return publications.map((publication) =>
    publication.map(({ id }) => {
      place++
      if (missing.has(place)) return 'missing'
      const sequence = sequences.get(id) ?? null
      // The first publication with the id in a batch gets the sequence; the others are duplicates.
      sequences.delete(id)
      return sequence
    }),
  )
}
