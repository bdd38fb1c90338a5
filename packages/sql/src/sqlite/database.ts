import type { Inbox, Queue } from '@sallyport/webhooks'
import { Kysely, type Dialect } from 'kysely'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { EmbeddedBus } from '../bus.ts'
import type { CommitLimits } from '../commit-limits.ts'
import { HandedOut } from '../handed-out.ts'
import { migrate } from '../migrate.ts'
import { migrationsFor, migrationTable } from '../migrations/index.ts'
import type { InboxTables } from '../tables.ts'
import { report } from '../unreadable.ts'
import { sqliteBus, type SqliteBusOptions } from './bus.ts'
import { sqliteTypes } from './column-types.ts'
import { CommitQueue } from './commit-queue.ts'
import { workerDialect } from './dialect.ts'
import type { SqliteError } from './errors.ts'
import { warnAboutFileSystem } from './file-system.ts'
import { sqliteInbox, type SqliteInboxOptions } from './inbox.ts'
import { isFileLost, readFileIdentity } from './open-file.ts'
import { connectionOf, limitsOf, type SqliteDialectOptions } from './options.ts'
import { sqliteQueue, type SqliteQueueOptions } from './queue.ts'
import { readsDialect } from './reads-dialect.ts'
import type { ConnectionOptions } from './worker-messages.ts'

export interface SqliteOptions extends SqliteDialectOptions {
  /** The database's file. It is made (0600), and so is its directory (0700), when it is not there. */
  readonly path: string
  readonly limits?: CommitLimits
  /**
   * Called with a `SqliteError` (`FILE_LOST`) for every request that is refused because the file or its write-ahead log
   * was deleted, moved or replaced while it was open. A file that is moved back is used again.
   */
  readonly onFileLost?: (error: SqliteError) => unknown
}

/** An open database, and what is kept in it. */
export interface SqliteDatabase {
  /**
   * Queries over a connection of their own; for tables of your own, `kysely.$extendTables<MyTables>()`.
   *
   * Integers are read as numbers; one that would lose digits fails its query with a RangeError, and a statement that
   * would return it changes nothing. Queries throw SallyportError `OVERLOADED` (503) when another process keeps the file
   * locked, when whoever has the connection does nothing for too long, and when too many wait for it; and `SqliteError`.
   */
  readonly kysely: Kysely<InboxTables>
  /**
   * Short reads, on the thread of the caller: of single rows by a unique key, and of small pages along an index. They
   * see all that was committed before they began, wait for no writer, and take less time than a message to another
   * thread. Until one has ended nothing else runs on its thread, nor between two that follow one another: whatever may
   * scan, sort or count belongs to `kysely`, and so does a loop of many.
   * Transactions, and statements that change something, are refused with a TypeError.
   */
  readonly reads: Kysely<InboxTables>
  /** Why the file system of the database may lose or corrupt acknowledged data, for a log; empty where it does not. */
  readonly warnings: readonly string[]
  /** The inbox of the database; several of one database share what they hold. Closing one leaves the database open. */
  inbox(options?: SqliteInboxOptions): Inbox
  /** The embedded bus of the database. */
  bus(options?: SqliteBusOptions): EmbeddedBus
  /** The shared queue of the database. Closing one leaves the database open. */
  queue(options?: SqliteQueueOptions): Queue
  /** Closes its inboxes and queues, finishes what is under way, and ends the threads. */
  close(): Promise<void>
}

/**
 * Opens a database in a file, and migrates it to this version.
 *
 * It is in WAL mode with `synchronous = FULL`: what was committed is on the disk, and several processes of one machine
 * may share the file. SQLite runs in two worker threads, one that commits and one that queries; `reads` runs in yours.
 *
 * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated it, `DATABASE_BUSY` when another process
 *   wrote to it for a minute and a half
 * @throws SqliteError when SQLite cannot open it
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

/** The database with the parts that tests look into. */
export async function openStorage(
  options: SqliteOptions,
): Promise<{ readonly database: SqliteDatabase; readonly commits: CommitQueue }> {
  const connection: { -readonly [Name in keyof ConnectionOptions]: ConnectionOptions[Name] } =
    connectionOf(options)
  const onFailure = (error: SqliteError) => {
    if (isFileLost(error)) report(options.onFileLost, error)
  }
  const commits = new CommitQueue(connection, options.limits ?? {}, onFailure)
  const dialect = workerDialect(connection, limitsOf(options), () => commits.underWay, onFailure)
  await createFile(connection.path)
  // The workers start later, and all of them, also those that replace one which has died, use the same file.
  connection.file = readFileIdentity(connection.path)
  const warnings = await warnAboutFileSystem(dirname(connection.path))
  const kysely = new Kysely<InboxTables>({ dialect })
  const reads = new Kysely<InboxTables>({
    dialect: readsDialect(connection.path, (query) => kysely.executeQuery(query)),
  })
  const handedOut = new HandedOut()
  const close = async () => {
    await handedOut.close()
    await reads.destroy()
    await commits.close()
    await kysely.destroy()
  }
  try {
    await migrate(kysely, migrationsFor(sqliteTypes), { table: migrationTable })
  } catch (error) {
    await close()
    throw error
  }
  const storage = { commits, kysely }
  let closing: Promise<void> | undefined
  return {
    commits,
    database: {
      kysely,
      reads,
      warnings,
      inbox: (inboxOptions) => handedOut.keep(sqliteInbox(storage, inboxOptions)),
      bus: (busOptions) => handedOut.watch(sqliteBus(storage, busOptions)),
      queue: (queueOptions) => handedOut.keep(sqliteQueue(storage, queueOptions)),
      close: () => (closing ??= close()),
    },
  }
}

/**
 * A Kysely dialect over a worker thread: the event loop never waits for SQLite.
 *
 * There is one connection, so queries and transactions take turns. Transactions take the write lock when they begin,
 * unless their access mode is `read only`, so that one which reads first and writes later cannot fail half-way.
 * Integers that a number cannot hold are a RangeError, and a statement that would return one changes nothing. Whoever
 * waits in vain, for another process's lock or the connection, gets SallyportError `OVERLOADED` (503).
 *
 * @throws TypeError for a path that names no file, or an option out of range
 *
 * @example
 * ```ts
 * import { sqliteDialect } from '@sallyport/sql/sqlite'
 * import { Kysely } from 'kysely'
 *
 * const db = new Kysely<{ users: { id: string } }>({ dialect: sqliteDialect({ path: './data/users.db' }) })
 * ```
 */
export function sqliteDialect(options: SqliteDialectOptions): Dialect {
  return workerDialect(connectionOf(options), limitsOf(options))
}

/** SQLite gives its other files the mode of this one. */
async function createFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'a', 0o600)
  await file.close()
}
