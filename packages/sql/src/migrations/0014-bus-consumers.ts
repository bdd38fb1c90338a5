import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './column-types.ts'

/** The consumers of the embedded bus, their settled events and their dead letters. */
export function busConsumersMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('bus_consumers')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('position', 'bigint', (column) => column.notNull())
        .addColumn('lease', 'text')
        .addColumn('lease_ends_at', 'bigint')
        .execute()
      await types
        .clustered(
          db.schema
            .createTable('bus_settled')
            .addColumn('consumer', 'text', (column) => column.notNull())
            .addColumn('sequence', 'bigint', (column) => column.notNull())
            .addPrimaryKeyConstraint('bus_settled_key', ['consumer', 'sequence']),
        )
        .execute()
      await db.schema
        .createTable('bus_dead_letters')
        .addColumn('consumer', 'text', (column) => column.notNull())
        .addColumn('sequence', 'bigint', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('dead_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('bus_dead_letters_key', ['consumer', 'sequence'])
        .execute()
    },
  }
}
