import type { Migration } from 'kysely/migration'
import { inboxMigration } from './0001-inbox.ts'
import { busMigration } from './0002-bus.ts'
import { queueMigration } from './0003-queue.ts'
import { traceMigration } from './0004-trace.ts'
import { duplicatesMigration } from './0006-duplicates.ts'
import type { ColumnTypes } from './column-types.ts'

/** The table that remembers which of them have run. */
export const migrationTable = 'sallyport_migrations'

/** Every migration of the kit's own tables, by name; a name is never changed, and new ones sort behind it. */
export function migrationsFor(types: ColumnTypes): Readonly<Record<string, Migration>> {
  return {
    '0001-inbox': inboxMigration(types),
    '0002-bus': busMigration(types),
    '0003-queue': queueMigration(types),
    '0004-trace': traceMigration(),
    // PostgreSQL alone has a migration 0005.
    '0006-duplicates': duplicatesMigration(),
  }
}
