import { sql, type Kysely } from 'kysely'
import type { Engine } from './engine.ts'

/** The shared queue. */
export async function createQueue({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await schema
    .createTable('queued_events')
    .addColumn('sequence', engine.sequence.type, engine.sequence.build)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('lease_ends_at', 'bigint')
    .execute()
  await schema
    .createIndex('queued_events_due')
    .on('queued_events')
    .column(sql`coalesce(lease_ends_at, due_at)`)
    .column('sequence')
    .execute()
}
