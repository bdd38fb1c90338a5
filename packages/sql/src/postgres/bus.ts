import { sql } from 'kysely'
import { embeddedBus, type EmbeddedBus } from '../bus/bus.ts'
import type { CommitLimits } from '../internal/commit-limits.ts'
import { databaseClock, fixedClock, type Clock } from '../internal/clock.ts'
import type { EventJson } from '../internal/event-json.ts'
import { BatchQueue } from './batch-queue.ts'
import { waitForDisk } from './durable.ts'
import type { Storage } from './connections.ts'
import { writeTogether } from './write.ts'

export interface PostgresBusOptions {
  /** Milliseconds since the epoch, for tests. @default the clock of the database, on which all processes agree */
  readonly now?: () => number
  /** How many publications may wait. */
  readonly limits?: CommitLimits
}

type Sequences = readonly (number | null)[]

export function postgresBus(
  { kysely, operations }: Storage,
  { now, limits }: PostgresBusOptions = {},
): EmbeddedBus {
  const clock = now === undefined ? databaseClock(kysely) : fixedClock(now)
  const publications = new BatchQueue<readonly EventJson[], Sequences>(
    (items) => writeTogether(items, (some) => append(kysely, clock, some)),
    // Appends are serialized in the database: concurrent ones of one process would only wait for each other.
    { ...limits, concurrency: 1 },
  )
  return embeddedBus(kysely, clock, (rows, bytes) =>
    operations.run(() => publications.add(bytes, () => rows)),
  )
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
): Promise<readonly Sequences[]> {
  const rows = publications.flat()
  const appended = await sql<{ id: string; sequence: number }>`
    with turn as materialized (
      select pg_advisory_xact_lock(hashtext('sallyport'), hashtext('bus_events')), ${waitForDisk}
    )
    insert into bus_events (id, event, published_at)
    select id, event, ${clock()}
    from turn, unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ event }) => event)}::text[])
      with ordinality as published (id, event, place)
    order by place
    on conflict (id) do nothing
    returning id, sequence`.execute(kysely)
  const sequences = new Map(appended.rows.map(({ id, sequence }) => [id, sequence]))
  return publications.map((publication) =>
    publication.map(({ id }) => {
      const sequence = sequences.get(id) ?? null
      // The first publication with the id in a batch gets the sequence; the others are duplicates.
      sequences.delete(id)
      return sequence
    }),
  )
}
