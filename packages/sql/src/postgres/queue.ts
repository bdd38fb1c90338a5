import { sql } from 'kysely'
import type { EventJson } from '../internal/event-json.ts'
import { databaseQueue, type DatabaseQueue } from '../queue/queue.ts'
import { BatchQueue } from '../internal/batch-queue.ts'
import type { Storage } from './connections.ts'
import { waitForDisk } from './durable.ts'
import { writeTogether } from './write.ts'

export function postgresQueue({ kysely, operations, schema, vault }: Storage): DatabaseQueue {
  const arrivals = new BatchQueue<readonly EventJson[], readonly boolean[]>(
    (items) => writeTogether(items, (some) => enqueue(kysely, some)),
    // Additions are serialized in the database: concurrent ones of one process would only wait for each other.
    { concurrency: 1 },
  )
  return databaseQueue({
    kysely,
    schema,
    vault,
    enqueue: (rows, bytes) => operations.run(() => arrivals.add(bytes, () => rows)),
  })
}

/**
 * Adds batches in one statement, each id once. The lock lasts to the end of the transaction, so that sequences become visible
 * in order: the consumer continues from the last one.
 */
async function enqueue(
  db: Storage['kysely'],
  batches: readonly (readonly EventJson[])[],
): Promise<readonly (readonly boolean[])[]> {
  const rows = batches.flat()
  const added = await sql<{ id: string }>`
    with turn as materialized (
      select pg_advisory_xact_lock(hashtext('sallyport'), hashtext('queued_events')), ${waitForDisk}
    )
    insert into queued_events (id, event)
    select id, event from turn, unnest(
      ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ event }) => event)}::text[]
    ) with ordinality as incoming (id, event, place)
    order by place
    on conflict (id) do nothing
    returning id`.execute(db)
  const fresh = new Set(added.rows.map(({ id }) => id))
  // The first batch with the id gets the row; the others are duplicates.
  return batches.map((batch) => batch.map(({ id }) => fresh.delete(id)))
}
