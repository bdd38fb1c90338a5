import { sql, type Kysely } from 'kysely'
import type { Engine } from './engine.ts'

/** The shared queue: its events, and the lease of its consumer. */
export async function createQueue({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await schema
    .createTable('queued_events')
    .addColumn('sequence', engine.sequence.type, engine.sequence.build)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('event', 'text', (column) => column.notNull())
    .execute()
  // An erasure finds the events by their own ids, without the time before them.
  await schema
    .createIndex('queued_events_by_event')
    .on('queued_events')
    .column(sql`ltrim(id, '0123456789')`)
    .execute()
  await schema
    .createTable('queue_consumers')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('lease', 'text')
    .addColumn('lease_ends_at', 'bigint')
    .execute()
}
