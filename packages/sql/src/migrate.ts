import { SallyportError } from '@sallyport/errors'
import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { againWhileBusy, writePatience, type WritePatience } from './sqlite/again-while-busy.ts'
import { keepingReferences, withoutForeignKeys } from './sqlite/foreign-keys.ts'
import { patiently } from './sqlite/worker-connection.ts'

export interface MigrateOptions {
  /** The table that remembers what has run; migrations of different owners need different ones. */
  readonly table: string
}

/**
 * Runs the migrations that have not run yet, in the order of their names, all in one transaction.
 *
 * Processes that start at once take turns, wherever a write transaction locks the database, as those of
 * {@link sqliteDialect} do. Whoever else writes is waited for a minute and a half.
 *
 * Foreign keys are not enforced while migrations run, so that a table can be made anew, as SQLite has it for most changes
 * of one. Nothing is deleted by `on delete cascade` then; they are checked at the end.
 *
 * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated the database, `DATABASE_BUSY` when somebody
 *   else wrote all the time, `DATABASE_INCONSISTENT` when rows would be left that refer to none
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
  await migratePatiently(db, migrations, options, writePatience)
}

/** The same with the patience that a test has. */
export function migratePatiently<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
  { table }: MigrateOptions,
  patience: WritePatience,
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

  return againWhileBusy(
    (begun) =>
      db.connection().execute(async (connection) => {
        await connection.executeQuery(patiently)
        const executed = await executedIn(connection, table)
        // To check references takes a while in a large database, where mostly nothing is to be done.
        if (Object.keys(migrations).every((name) => executed.includes(name)))
          await migrateOnce(connection, false, begun)
        else await withoutForeignKeys(connection, (enforced) => migrateOnce(connection, enforced, begun))
      }),
    patience,
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
