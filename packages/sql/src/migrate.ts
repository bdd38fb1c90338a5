import { SallyportError } from '@sallyport/errors'
import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'

export interface MigrateOptions {
  /** The table that remembers what has run; migrations of different owners need different ones. */
  readonly table: string
}

/**
 * Runs the migrations that have not run yet, in the order of their names, all in one transaction.
 *
 * Processes that start at once take turns, wherever a write transaction locks the database, as those of
 * {@link sqliteDialect} do.
 *
 * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated the database
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
  { table }: MigrateOptions,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await refuseNewer(transaction, migrations, table)
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
      migrationTableName: table,
      migrationLockTableName: `${table}_lock`,
    })
    const { error } = await migrator.migrateToLatest()
    if (error instanceof Error) throw error
    if (error !== undefined) throw new Error('A migration failed', { cause: error })
  })
}

async function refuseNewer<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
  table: string,
): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === table)) return
  const own = db as unknown as Kysely<Record<string, { name: string }>>
  const executed = await own.selectFrom(table).select('name').execute()
  const unknown = executed.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return
  throw new SallyportError(
    'DATABASE_TOO_NEW',
    `The database was migrated by a newer version (${unknown.join(', ')}): run that version, or restore a backup`,
  )
}
