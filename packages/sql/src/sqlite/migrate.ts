import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { retryWhileBusy, writeLockTimeout, type WriteLockTimeout } from './busy.ts'
import { databaseTooNew, findUnknown, withUnderstood } from '../migrations/understood.ts'
import { keepingReferences, withoutForeignKeys } from './foreign-keys.ts'
import { disableTimeouts } from './worker-connection.ts'

export interface MigrateOptions {
  /** The table of applied migrations; each owner of migrations needs a different one. */
  readonly table: string
}

/**
 * Runs the pending migrations in the order of their names, in one transaction.
 *
 * A process refuses a database with a newer migration, unless the name of the migration says that the process understands it:
 * every version with `0021-doors` understands `0023-width@0021-doors`. Such a migration must be additive for these versions.
 *
 * Processes that start together take turns where a write transaction locks the database, as in {@link createSqliteDialect}.
 * A migration waits up to 90 seconds for other writers.
 *
 * Foreign keys are off during migrations, so that a migration can recreate a table, as SQLite requires for most schema
 * changes. `on delete cascade` deletes nothing then; the references are checked at the end.
 *
 * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated the database, `DATABASE_BUSY` when other
 *   writers kept the lock, `DATABASE_INCONSISTENT` when rows would refer to missing rows
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
  options: MigrateOptions,
): Promise<void> {
  await migrateWithTimeout(db, migrations, options, writeLockTimeout)
}

/** Runs {@link migrate} with the timeouts of a test. */
export function migrateWithTimeout<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
  { table }: MigrateOptions,
  timeout: WriteLockTimeout,
): Promise<void> {
  const run = async (transaction: Kysely<Tables>, applied: readonly string[]) => {
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: () => Promise.resolve({ ...withUnderstood(migrations, applied) }) },
      migrationTableName: table,
      migrationLockTableName: `${table}_lock`,
    })
    const { error } = await migrator.migrateToLatest()
    if (error instanceof Error) throw error
    if (error !== undefined) throw new Error('A migration failed', { cause: error })
  }

  async function migrateOnce(
    connection: Kysely<Tables>,
    enforced: boolean,
    begun: () => void,
  ): Promise<void> {
    await connection.transaction().execute(async (transaction) => {
      begun()
      const applied = await executedIn(transaction, table)
      const unknown = findUnknown(applied, migrations)
      if (unknown.length > 0) throw databaseTooNew(unknown)
      if (enforced) await keepingReferences(transaction, () => run(transaction, applied))
      else await run(transaction, applied)
    })
  }

  return retryWhileBusy(
    (begun) =>
      db.connection().execute(async (connection) => {
        await connection.executeQuery(disableTimeouts)
        const executed = await executedIn(connection, table)
        // Checking references takes time in a large database, and usually no migration is pending.
        if (Object.keys(migrations).every((name) => executed.includes(name)))
          await migrateOnce(connection, false, begun)
        else await withoutForeignKeys(connection, (enforced) => migrateOnce(connection, enforced, begun))
      }),
    timeout,
  )
}

async function executedIn<Tables>(db: Kysely<Tables>, table: string): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === table)) return []
  const own = db as unknown as Kysely<Record<string, { name: string }>>
  const executed = await own.selectFrom(table).select('name').execute()
  return executed.map(({ name }) => name)
}
