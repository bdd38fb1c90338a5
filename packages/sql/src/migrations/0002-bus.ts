import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './column-types.ts'

/** The embedded bus. */
export function busMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('bus_events')
        .addColumn('sequence', types.sequence.type, types.sequence.build)
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('published_at', 'bigint', (column) => column.notNull())
        .execute()
    },
  }
}
