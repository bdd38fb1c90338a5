import { SallyportError } from '@sallyport/errors'
import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { MigrateOptions } from '../migrate.ts'

/** Runs what has not run yet, in one transaction, under an advisory lock of the session that Kysely takes. */
export async function migratePostgres<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
  { table }: MigrateOptions,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const unknown = error instanceof Error ? unknownMigration.exec(error.message)?.[1] : undefined
  if (unknown !== undefined) {
    throw new SallyportError(
      'DATABASE_TOO_NEW',
      `The database was migrated by a newer version (${unknown}): run that version, or restore a backup`,
    )
  }
  throw error instanceof Error ? error : new Error('A migration failed', { cause: error })
}

// Kysely checks it under the lock, where nobody can migrate in between, and has no code for it.
const unknownMigration = /^corrupted migrations: previously executed migration (.*) is missing$/
