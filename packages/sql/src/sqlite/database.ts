import { callHook } from '@sallyport/internal/promises'
import { Kysely, type Dialect } from 'kysely'
import type { Migration } from 'kysely/migration'
import { dirname } from 'node:path'
import { createBodies } from '../bodies/bodies.ts'
import type { BodiesOptions } from '../bodies/body-store.ts'
import { createConsumerStore } from '../bus/consumer-store.ts'
import { createBusConsumer } from '../bus/consumer.ts'
import { rotateKeys } from '../encryption/rotate-keys.ts'
import { createValueHashes } from '../encryption/value-hashes.ts'
import { createVault, type EncryptionOptions } from '../encryption/vault.ts'
import type { CommitLimits } from '../internal/commit-limits.ts'
import { fixedClock } from '../internal/clock.ts'
import { createOnce } from '../internal/once.ts'
import { OpenHandles } from '../internal/open-handles.ts'
import { createSchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables } from '../internal/tables.ts'
import { migrationTable } from '../migrations/migrations.ts'
import type { OpenedDatabase } from '../opened-database.ts'
import { replayJobStore } from '../replay-jobs/store.ts'
import { createRowSearch } from '../rows/row-search.ts'
import { createStores } from '../stores.ts'
import { sqliteBus, type SqliteBusOptions } from './bus.ts'
import { CommitQueue } from './commit-queue.ts'
import { createFile } from './create-file.ts'
import {
  requireTimer,
  resolveConnection,
  resolveLimits,
  workerDialect,
  type DialectLimits,
  type SqliteDialectOptions,
} from './dialect.ts'
import type { SqliteError } from './errors.ts'
import { warnAboutFileSystem } from './file-system.ts'
import { createHandlerTransactions } from './handler-transactions.ts'
import { sqliteInbox, type SqliteInboxOptions, type Storage } from './inbox.ts'
import { migrate, type MigrateOptions } from './migrate.ts'
import { inboxMigrations } from './migrations.ts'
import { isFileLost, readFileIdentity } from './open-file.ts'
import { sqliteQueue } from './queue.ts'
import { readsDialect } from './reads-dialect.ts'
import { sqliteTransactional, type SqliteTransactional } from './transactional.ts'
import type { ConnectionOptions } from './worker-messages.ts'

export interface SqliteOptions extends SqliteDialectOptions {
  /** The database file. The file (0600) and its directory (0700) are created when they are missing. */
  readonly path: string
  readonly limits?: CommitLimits
  /** Encrypts stored deliveries and events. @default no encryption */
  readonly encryption?: EncryptionOptions
  /** Stores large bodies outside the database. @default all bodies are in the database */
  readonly bodies?: BodiesOptions
  /**
   * How long the transaction of a handler of `once` and `transactional` may take, in milliseconds: it has the only write lock, for
   * which the gateway waits. Then it is rolled back, and the handler fails with `SqliteError` (`TRANSACTION_TOO_LONG`). The event
   * is retried after 400 times the limit, at most two minutes. A handler to which this happens three times within half of this
   * time pauses for as long.
   *
   * @default 100
   */
  readonly handlerTransactionMs?: number
  /**
   * Called with a `SqliteError` (`FILE_LOST`) for every request that is rejected because the file or its write-ahead log
   * was deleted, moved or replaced while it was open. A file that is moved back is used again.
   */
  readonly onFileLost?: (error: SqliteError) => unknown
}

/** An open database: the `database` of `createWebhooks`. */
export interface SqliteDatabase extends OpenedDatabase<InboxTables, SqliteInboxOptions, SqliteBusOptions> {
  /**
   * Queries over a separate connection; for your own tables, use `kysely.$extendTables<MyTables>()`.
   *
   * Integers are read as numbers. A query that reads an integer outside the safe range throws a RangeError, and a
   * statement that would return one changes nothing. Queries throw SallyportError `OVERLOADED` (503) when another process
   * keeps the file locked, when a caller blocks the connection too long, and when too many callers wait; and `SqliteError`.
   */
  readonly kysely: Kysely<InboxTables>
  /**
   * Short reads on the thread of the caller: single rows by a unique key, and small pages along an index. A read sees
   * every earlier commit, does not wait for writers, and is faster than a message to another thread. A read blocks its
   * thread: use `kysely` for queries that scan, sort or count, and for loops of many queries. Transactions and statements
   * that write throw a TypeError.
   */
  readonly reads: Kysely<InboxTables>
  /**
   * Runs your pending migrations in the order of their names, in one transaction, without foreign key checks.
   *
   * A process refuses a database with a newer migration, unless the name of the migration says that the process understands
   * it: every version with `0021-doors` understands `0023-width@0021-doors`.
   *
   * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated the database, `DATABASE_BUSY` when other
   *   writers kept the lock for 90 seconds, `DATABASE_INCONSISTENT` when rows would refer to missing rows
   */
  migrate(migrations: Readonly<Record<string, Migration>>, options: MigrateOptions): Promise<void>
  /**
   * Creates a handler of `createWebhooks({ on })` whose event is settled in the transaction of its effects: a crash leaves both or
   * neither, and a replay runs it again. The function does slow work, and returns the step that writes the effects:
   *
   * ```ts
   * import { openSqlite } from '@sallyport/sql/sqlite'
   *
   * const database = await openSqlite({ path: './data/sallyport.db' })
   * const countDoor = database.transactional(async ({ data }: { data: { door: string } }, signal) => {
   *   const address = await fetch(`https://doors.example/${data.door}`, { signal }).then((found) => found.text())
   *   return (transaction) => {
   *     const db = transaction.$extendTables<{ rings: { address: string } }>()
   *     return db.insertInto('rings').values({ address }).execute()
   *   }
   * })
   * ```
   *
   * A lost lease, an error and an aborted signal roll back.
   */
  readonly transactional: SqliteTransactional
}

/**
 * Opens a database file and migrates it to this version.
 *
 * The database uses WAL mode with `synchronous = FULL`: a commit is on the disk, and several processes of one machine may
 * share the file. SQLite runs in two worker threads, one for commits and one for queries; `reads` runs on your thread.
 *
 * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated the database, `DATABASE_BUSY` when another
 *   process kept it locked for 90 seconds
 * @throws SqliteError when SQLite cannot open the file; `DATABASE_MISSING` for a write-ahead log whose database is missing
 * @throws SallyportError `ENCRYPTION_KEY_MISSING` for an encrypted database without its key
 * @throws TypeError for a path that names no file, or an option out of range
 *
 * @example
 * ```ts
 * import { openSqlite } from '@sallyport/sql/sqlite'
 *
 * const database = await openSqlite({ path: './data/sallyport.db' })
 * const inbox = database.inbox()
 * const bus = database.bus()
 * await inbox.ping()
 * await database.close()
 * ```
 */
export async function openSqlite(options: SqliteOptions): Promise<SqliteDatabase> {
  return (await openStorage(options)).database
}

/** Opens a database and returns its commit queue too, for tests. */
export async function openStorage(
  options: SqliteOptions,
): Promise<{ readonly database: SqliteDatabase; readonly commits: CommitQueue }> {
  const vault = createVault(options.encryption)
  const connection: { -readonly [Name in keyof ConnectionOptions]: ConnectionOptions[Name] } =
    resolveConnection(options)
  const onFailure = (error: SqliteError) => {
    if (isFileLost(error)) callHook(options.onFileLost, error)
  }
  const commits = new CommitQueue(connection, options.limits ?? {}, onFailure)
  const limits = resolveLimits(options)
  const { handlerTransactionMs: transactionMs = 100 } = options
  requireTimer('handlerTransactionMs', transactionMs, 1)
  const open = (some: DialectLimits) =>
    workerDialect(connection, some, (begin) => commits.betweenBatches(begin), onFailure)
  await createFile(connection.path)
  // The workers start later. They and their replacements must use this file.
  connection.file = readFileIdentity(connection.path)
  const warnings = await warnAboutFileSystem(dirname(connection.path))
  const kysely = new Kysely<InboxTables>({ dialect: open(limits) })
  const handlers = new Kysely<InboxTables>({
    dialect: open({ ...limits, idleInTransactionTimeoutMs: transactionMs, transactionMs }),
  })
  const transactions = () => createHandlerTransactions(handlers, transactionMs)
  const reads = new Kysely<InboxTables>({
    dialect: readsDialect(connection.path, (query) => kysely.executeQuery(query)),
  })
  const readHashes = createValueHashes(kysely, vault)
  const bodies = createBodies(kysely, options.bodies)
  const openHandles = new OpenHandles()
  const close = async () => {
    await openHandles.close()
    await reads.destroy()
    await commits.close()
    await Promise.all([handlers.destroy(), kysely.destroy()])
  }
  try {
    await migrate(kysely, inboxMigrations, { table: migrationTable })
    await readHashes()
  } catch (error) {
    await close()
    throw error
  }
  const schema = createSchemaCheck(reads, inboxMigrations)
  const storage: Storage = { commits, kysely, bodyEvents: new WeakMap(), schema, vault, bodies, readHashes }
  let closing: Promise<void> | undefined
  return {
    commits,
    database: {
      kysely,
      reads,
      warnings,
      migrate: (migrations, migrateOptions) => migrate(kysely, migrations, migrateOptions),
      // One thread runs the queries.
      search: createRowSearch({ contains: 'instr', maxRunning: 1 }),
      ...createStores(kysely, { reads, vault, readHashes }),
      inbox: (inboxOptions) => openHandles.track(sqliteInbox(storage, inboxOptions)),
      bus: (busOptions) => openHandles.trackBus(sqliteBus(storage, busOptions)),
      consumer: (consumerOptions) => createBusConsumer(storage, consumerOptions),
      consumers: () => createConsumerStore(kysely, vault),
      replayJobs: () => replayJobStore(storage, fixedClock(Date.now)),
      queue: () => sqliteQueue(storage),
      once: createOnce({ transactions, reads, adapt: (transaction) => transaction }),
      rotateKeys: () => rotateKeys(kysely, vault),
      transactional: sqliteTransactional(transactions),
      close: () => (closing ??= close()),
    },
  }
}

/**
 * Creates a Kysely dialect over a worker thread, so that the event loop never waits for SQLite.
 *
 * Queries and transactions share one connection and take turns. A transaction takes the write lock at its beginning,
 * unless its access mode is `read only`, so that a transaction that reads first can still write. An integer outside the
 * safe range throws a RangeError, and a statement that would return one changes nothing. A timeout while waiting for the
 * lock of another process or for the connection throws SallyportError `OVERLOADED` (503).
 *
 * @throws TypeError for a path that names no file, or an option out of range
 *
 * @example
 * ```ts
 * import { createSqliteDialect } from '@sallyport/sql/sqlite'
 * import { Kysely } from 'kysely'
 *
 * const db = new Kysely<{ users: { id: string } }>({ dialect: createSqliteDialect({ path: './data/users.db' }) })
 * ```
 */
export function createSqliteDialect(options: SqliteDialectOptions): Dialect {
  return workerDialect(resolveConnection(options), resolveLimits(options))
}
