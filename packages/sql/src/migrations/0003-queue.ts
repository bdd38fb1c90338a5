import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './column-types.ts'

/** The shared queue. */
export function queueMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('queued_events')
        .addColumn('sequence', types.sequence.type, types.sequence.build)
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('lease', 'text')
        .addColumn('lease_ends_at', 'bigint')
        .execute()
      await db.schema
        .createIndex('queued_events_due')
        .on('queued_events')
        .column(sql`coalesce(lease_ends_at, due_at)`)
        .column('sequence')
        .execute()
    },
  }
}
