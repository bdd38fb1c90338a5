import { SallyportError } from '@sallyport/errors'
import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { retryWhileBusy, writeLockTimeout, type WriteLockTimeout } from './busy.ts'
import { keepingReferences, withoutForeignKeys } from './foreign-keys.ts'
import { disableTimeouts } from './worker-connection.ts'

export interface MigrateOptions {
  /** The table of applied migrations; each owner of migrations needs a different one. */
  readonly table: string
}

/**
 * Runs the pending migrations in the order of their names, in one transaction.
 *
 * Processes that start together take turns where a write transaction locks the database, as in {@link sqliteDialect}.
 * A migration waits up to 90 seconds for other writers.
 *
 * Foreign keys are off during migrations, so that a migration can recreate a table, as SQLite requires for most schema
 * changes. `on delete cascade` deletes nothing then; the references are checked at the end.
 *
 * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated the database, `DATABASE_BUSY` when other
 *   writers kept the lock, `DATABASE_INCONSISTENT` when rows would refer to missing rows
 *
 * @example
 * ```ts
 * import { migrate, openSqlite } from '@sallyport/sql/sqlite'
 *
 * const database = await openSqlite({ path: './data/sallyport.db' })
 * await migrate(
 *   database.kysely,
 *   {
 *     '0001-users': {
 *       async up(db) {
 *         await db.schema.createTable('users').addColumn('id', 'text', (id) => id.primaryKey()).execute()
 *       },
 *     },
 *   },
 *   { table: 'my_migrations' },
 * )
 * ```
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
  const run = async (transaction: Kysely<Tables>) => {
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
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
      refuseNewer(await executedIn(transaction, table), migrations)
      if (enforced) await keepingReferences(transaction, () => run(transaction))
      else await run(transaction)
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

function refuseNewer(executed: readonly string[], migrations: Readonly<Record<string, Migration>>): void {
  const unknown = executed.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return
  throw new SallyportError(
    'DATABASE_TOO_NEW',
    `The database was migrated by a newer version (${unknown.join(', ')}): run that version, or restore a backup`,
  )
}
