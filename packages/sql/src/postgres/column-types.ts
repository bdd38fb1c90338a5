import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from '../migrations/column-types.ts'
import { migrationsFor } from '../migrations/migrations.ts'
import { bodyStorageMigration } from './body-storage.ts'

const postgresTypes: ColumnTypes = {
  // "by default", not "always": a record takes its sequences first and then stores the rows that refer to them.
  sequence: { type: 'bigint', build: (column) => column.primaryKey().generatedByDefaultAsIdentity() },
  reference: 'bigint',
  bytes: 'bytea',
  clustered: (table) => table,
}

/** The tables of the inbox, the embedded bus and the shared queue. */
export const inboxMigrations: Readonly<Record<string, Migration>> = {
  ...migrationsFor(postgresTypes),
  '0005-body-storage': bodyStorageMigration,
}
