import type { Migration } from 'kysely/migration'
import { inboxMigration } from './0001-inbox.ts'
import { busMigration } from './0002-bus.ts'
import { queueMigration } from './0003-queue.ts'
import { traceMigration } from './0004-trace.ts'
import { duplicatesMigration } from './0006-duplicates.ts'
import type { ColumnTypes } from './column-types.ts'

/** The table of applied migrations. */
export const migrationTable = 'sallyport_migrations'

/** Returns the migrations of the package's tables by name. Names never change, and new names sort last. */
export function migrationsFor(types: ColumnTypes): Readonly<Record<string, Migration>> {
  return {
    '0001-inbox': inboxMigration(types),
    '0002-bus': busMigration(types),
    '0003-queue': queueMigration(types),
    '0004-trace': traceMigration(),
    // 0005 exists on PostgreSQL only.
    '0006-duplicates': duplicatesMigration(),
  }
}
