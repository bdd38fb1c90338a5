import { SallyportError } from '@sallyport/errors'
import { CompiledQuery, Kysely, PostgresDialect, sql, type PostgresPool, type RawBuilder } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { databaseTooNew, findUnknown, withUnderstood } from '../migrations/understood.ts'
import type { MigrateOptions } from '../sqlite/migrate.ts'
import { quoteName } from './dialect.ts'
import { findConnectionError, type PostgresConnectionError } from './errors.ts'
import { retryWhileLocked, withLockTimeout, lockRetries, type LockRetries } from './migration-locks.ts'

export interface MigrationTarget extends MigrateOptions {
  readonly schema: string | undefined
}

export type Migrations = Readonly<Record<string, Migration>>

/** Runs over the migrations of webhooks, or over yours, which a table of yours records. */
export interface RunMigrations {
  (): Promise<void>
  (migrations: Migrations, options: MigrateOptions): Promise<void>
}

/**
 * Runs the pending migrations in one transaction, under Kysely's advisory lock.
 *
 * A long statement, such as a backup, may use a table that a migration changes. Waiting for its lock would block all
 * later statements on the table, so the migration waits in short attempts with pauses.
 */
export function migratePostgres(
  pool: () => PostgresPool,
  migrations: Migrations,
  place: MigrationTarget,
  retries: LockRetries = lockRetries,
): Promise<void> {
  const short = withLockTimeout(migrations, retries)
  return retryWhileLocked(() => migrateOnce(pool, short, place), retries)
}

async function migrateOnce(
  pool: () => PostgresPool,
  migrations: Migrations,
  target: MigrationTarget,
): Promise<void> {
  const { table, schema } = target
  const losses: PostgresConnectionError[] = []
  const db = new Kysely<unknown>({
    // Kysely logs the errors of the rollback and of the unlock on the lost connection.
    log(event) {
      const loss = event.level === 'error' ? findConnectionError(event.error) : undefined
      if (loss !== undefined) losses.push(loss)
    },
    dialect: new PostgresDialect({
      pool: pool(),
      async onCreateConnection(connection) {
        for (const statement of sessionStatements(schema))
          await connection.executeQuery(CompiledQuery.raw(statement))
      },
    }),
  })
  try {
    const known = withUnderstood(migrations, await executedIn(db, sql.id(table)))
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve({ ...known }) },
      migrationTableName: table,
      migrationLockTableName: `${table}_lock`,
      ...(schema !== undefined && { migrationTableSchema: schema }),
    })
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) return
    if (losses[0] !== undefined) throw losses[0]
    const unknown = error instanceof Error ? unknownMigration.exec(error.message)?.[1] : undefined
    if (unknown === undefined)
      throw error instanceof Error ? error : new Error('A migration failed', { cause: error })
    const tooNew = findUnknown(await executedIn(db, sql.id(table)), migrations)
    if (tooNew.length > 0) throw databaseTooNew(tooNew)
    // Another process has run an understood migration since.
    await migrateOnce(pool, migrations, target)
  } finally {
    await db.destroy()
  }
}

/** Session settings for migrations: no timeouts, and tables in the schema. */
function sessionStatements(schema: string | undefined): readonly string[] {
  return [
    'set statement_timeout = 0',
    'set lock_timeout = 0',
    'set idle_in_transaction_session_timeout = 0',
    ...(schema === undefined ? [] : [`set search_path to ${quoteName(schema)}`]),
  ]
}

/** Compares the applied migrations with the known ones, without changes. */
export async function checkMigrations(
  db: Kysely<unknown>,
  migrations: Migrations,
  { table, schema }: MigrationTarget,
): Promise<void> {
  const executed = await executedIn(db, schema === undefined ? sql.id(table) : sql.id(schema, table))
  const unknown = findUnknown(executed, migrations)
  if (unknown.length > 0) throw databaseTooNew(unknown)
  const missing = Object.keys(migrations).filter((name) => !executed.includes(name))
  if (missing.length === 0) return
  throw new SallyportError(
    'DATABASE_TOO_OLD',
    `The database lacks the migrations ${missing.sort().join(', ')} of ${table}: run them, and start again`,
  )
}

async function executedIn(db: Kysely<unknown>, table: RawBuilder<unknown>): Promise<readonly string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return []
    throw error
  }
}

const undefinedTable = '42P01'

// Kysely checks this under the migration lock, but gives the error no code.
const unknownMigration = /^corrupted migrations: previously executed migration (.*) is missing$/
