import type { Inbox, Queue, Work } from '@sallyport/webhooks'
import { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EmbeddedBus } from '../bus.ts'
import { HandedOut } from '../handed-out.ts'
import type { MigrateOptions } from '../migrate.ts'
import { migrationTable } from '../migrations/index.ts'
import type { InboxTables } from '../tables.ts'
import { postgresBus, type PostgresBusOptions } from './bus.ts'
import { inboxMigrations } from './column-types.ts'
import { openConnections } from './connections.ts'
import { SchemaDialect } from './dialect.ts'
import { durabilitySettings, warnAbout } from './durable.ts'
import { connectionErrorOf } from './errors.ts'
import { postgresInbox, type PostgresInboxOptions } from './inbox.ts'
import { checkMigrations, migratePostgres } from './migrate.ts'
import type { PostgresOptions } from './options.ts'
import { postgresQueue, type PostgresQueueOptions } from './queue.ts'
import { withinTransaction, type InboxTransaction, type OpenTransaction } from './within.ts'

/** An open database. */
export interface PostgresDatabase {
  /**
   * Queries over the pool, in the schema of the options if they have one; for tables of your own,
   * `kysely.$extendTables<MyTables>()`, for those of the inbox, `kysely.$extendTables<InboxTables>()`.
   *
   * `bigint` is read as a number. Queries throw SallyportError `SERVICE_UNAVAILABLE` (503) when there is no
   * connection or it breaks, `OVERLOADED` (503) when too many wait for one, and the driver's errors as they are.
   */
  readonly kysely: Kysely<unknown>
  /**
   * Runs the migrations that have not run yet, in the order of their names, all in one transaction, over a connection
   * of its own without timeouts. Processes that start at once take turns. A table that somebody keeps in use, such as a
   * backup, is waited for a minute and a half, in attempts of two seconds between which everybody else goes on.
   *
   * Behind a pooler that lends connections by transaction, such as PgBouncer, migrate with a URL that leads past it:
   * the lock belongs to a session.
   *
   * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated the database, `DATABASE_BUSY` when a table
   *   stayed in use
   * @throws PostgresConnectionError without a connection
   */
  readonly migrate: (
    migrations: Readonly<Record<string, Migration>>,
    options: MigrateOptions,
  ) => Promise<void>
  /**
   * Brings the tables of the inbox, the embedded bus and the shared queue to this version, as
   * {@link PostgresDatabase.migrate} does. Whoever uses none of them needs none.
   */
  readonly migrateInbox: () => Promise<void>
  /**
   * Changes nothing, and refuses a database that lacks some of the migrations: for servers that do not migrate by
   * themselves. {@link migrationSql} prints what is to be run.
   *
   * @throws SallyportError `DATABASE_TOO_OLD`, whose message names what has not run, or `DATABASE_TOO_NEW`
   */
  readonly check: (migrations: Readonly<Record<string, Migration>>, options: MigrateOptions) => Promise<void>
  /** The same for the tables of the inbox, the embedded bus and the shared queue. */
  readonly checkInbox: () => Promise<void>
  /**
   * The inbox of the database, once {@link PostgresDatabase.migrateInbox} has run; several of one database, in any
   * number of processes, share what they hold. Closing one leaves the database open.
   */
  readonly inbox: (options?: PostgresInboxOptions) => Inbox
  /** The embedded bus of the database, once {@link PostgresDatabase.migrateInbox} has run. */
  readonly bus: (options?: PostgresBusOptions) => EmbeddedBus
  /** The shared queue of the database, once {@link PostgresDatabase.migrateInbox} has run. */
  readonly queue: (options?: PostgresQueueOptions) => Queue
  /** Settings of the server that put acknowledged data at risk, for a log: `fsync` or `full_page_writes` is `off`. */
  readonly warnings: readonly string[]
  /**
   * Calls back when there is new work in the inbox, which another process may have recorded, until the returned function
   * is called: `database.onWork((work) => dispatcher.wake(work))`. It may call for nothing, and miss something: a dispatcher
   * polls besides.
   */
  readonly onWork: (listener: (work: Work) => void) => () => void
  /** What the inbox does as a part of a transaction of yours, which a pool is not; see {@link InboxTransaction}. */
  readonly within: (transaction: OpenTransaction) => InboxTransaction
  /** Closes its inboxes and queues, finishes what is under way, and ends the connections; a pool of yours stays open. */
  readonly close: () => Promise<void>
}

/**
 * Connects to PostgreSQL, through a pool whose size, waiting and statements are bounded, or through one of yours.
 *
 * @throws PostgresConnectionError when there is no connection: it says where to, why, and what to do, and shows no
 *   password
 * @throws TypeError for a URL that cannot be read, or an option out of range
 *
 * @example
 * ```ts
 * import { openPostgres } from '@sallyport/sql/postgres'
 * import { sessionsMigration } from '@sallyport/sql/sessions'
 *
 * const database = await openPostgres({ url: 'postgres://sallyport@localhost:5432/sallyport' })
 * await database.migrate({ '0001-sessions': sessionsMigration }, { table: 'my_migrations' })
 * await database.close()
 * ```
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const { settings, pool, migrationPool, wakeUps } = openConnections(options)
  const { schema, maxConnections } = settings
  const plain = new Kysely<unknown>({ dialect: new SchemaDialect(pool, undefined) })
  let warnings: readonly string[]
  try {
    const { rows } = await explained(() => durabilitySettings.execute(plain))
    warnings = rows.flatMap(warnAbout)
  } catch (error) {
    await plain.destroy()
    throw error
  }

  const migrate: PostgresDatabase['migrate'] = (migrations, { table }) =>
    explained(() => migratePostgres(migrationPool, migrations, { table, schema }))
  const check: PostgresDatabase['check'] = (migrations, { table }) =>
    explained(() => checkMigrations(plain, migrations, { table, schema }))

  const handedOut = new HandedOut()
  const kysely = new Kysely<InboxTables>({ dialect: new SchemaDialect(pool, schema) })
  const storage = { kysely, operations: handedOut.operations, maxConnections, wakeUps }

  return {
    kysely: schema === undefined ? plain : plain.withSchema(schema),
    migrate,
    migrateInbox: () => migrate(inboxMigrations, { table: migrationTable }),
    check,
    checkInbox: () => check(inboxMigrations, { table: migrationTable }),
    inbox: (inboxOptions) => handedOut.keep(postgresInbox(storage, inboxOptions)),
    bus: (busOptions) => handedOut.watch(postgresBus(storage, busOptions)),
    queue: (queueOptions) => handedOut.keep(postgresQueue(storage, queueOptions)),
    warnings,
    onWork: (listener) =>
      wakeUps.listen((topic) => {
        if (topic !== 'queue') listener(topic)
      }),
    within: (transaction) => withinTransaction(transaction, schema),
    async close() {
      await handedOut.close()
      await wakeUps.close()
      await Promise.all([plain.destroy(), kysely.destroy()])
    },
  }
}

/** Shows whoever starts a server what is wrong with the connection, where a caller of it would not be told. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw connectionErrorOf(error) ?? error
  }
}
