import { isSallyportError } from '@sallyport/errors'
import type { Inbox, Queue } from '@sallyport/webhooks'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EmbeddedBus } from '../bus.ts'
import type { MigrateOptions } from '../migrate.ts'
import { migrationsFor, migrationTable } from '../migrations/index.ts'
import { Operations } from '../operations.ts'
import { inboxUnavailable } from '../refusals.ts'
import type { InboxTables } from '../tables.ts'
import { postgresBus, type PostgresBusOptions } from './bus.ts'
import { postgresTypes } from './column-types.ts'
import { PostgresConnectionError } from './errors.ts'
import { postgresInbox, type PostgresInboxOptions } from './inbox.ts'
import { migratePostgres } from './migrate.ts'
import { settingsOf, type PostgresOptions } from './options.ts'
import { createPool, type PoolLimits } from './pool.ts'
import { postgresQueue, type PostgresQueueOptions } from './queue.ts'
import { describeTarget } from './target.ts'

/** An open database. */
export interface PostgresDatabase {
  /**
   * Queries over the pool; for tables of your own, `kysely.$extendTables<MyTables>()`, for those of the inbox,
   * `kysely.$extendTables<InboxTables>()`.
   *
   * `bigint` is read as a number. Queries throw SallyportError `SERVICE_UNAVAILABLE` (503) when there is no
   * connection or it breaks, `OVERLOADED` (503) when too many wait for one, and the driver's errors as they are.
   */
  readonly kysely: Kysely<unknown>
  /**
   * Runs the migrations that have not run yet, in the order of their names, all in one transaction, over a connection
   * of its own without timeouts. Processes that start at once take turns.
   *
   * Behind a pooler that lends connections by transaction, such as PgBouncer, migrate with a URL that leads past it:
   * the lock belongs to a session.
   *
   * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated the database
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
   * The inbox of the database, once {@link PostgresDatabase.migrateInbox} has run; several of one database, in any
   * number of processes, share what they hold. Closing one leaves the database open.
   */
  readonly inbox: (options?: PostgresInboxOptions) => Inbox
  /** The embedded bus of the database, once {@link PostgresDatabase.migrateInbox} has run. */
  readonly bus: (options?: PostgresBusOptions) => EmbeddedBus
  /** The shared queue of the database, once {@link PostgresDatabase.migrateInbox} has run. */
  readonly queue: (options?: PostgresQueueOptions) => Queue
  /** Waits for what is under way, and closes the connections. */
  readonly close: () => Promise<void>
}

/**
 * Connects to PostgreSQL, through a pool whose size, waiting and statements are bounded.
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
  const settings = settingsOf(options)
  const target = describeTarget(settings.url)
  const open = (limits: PoolLimits) =>
    new Kysely<unknown>({ dialect: new PostgresDialect({ pool: createPool(settings, target, limits) }) })

  const kysely = open({ connections: settings.maxConnections, timeouts: true })
  try {
    await explained(() => sql`select 1`.execute(kysely))
  } catch (error) {
    await kysely.destroy()
    throw error
  }

  const migrate: PostgresDatabase['migrate'] = async (migrations, migrateOptions) => {
    const migrating = open({ connections: 1, timeouts: false })
    try {
      await explained(() => migratePostgres(migrating, migrations, migrateOptions))
    } finally {
      await migrating.destroy()
    }
  }

  const operations = new Operations(() => inboxUnavailable(new Error('The database is closed')))
  const { maxConnections } = settings
  const storage = { kysely: kysely.$extendTables<InboxTables>(), operations, maxConnections }

  return {
    kysely,
    migrate,
    migrateInbox: () => migrate(migrationsFor(postgresTypes), { table: migrationTable }),
    inbox: (inboxOptions) => postgresInbox(storage, inboxOptions),
    bus: (busOptions) => postgresBus(storage, busOptions),
    queue: (queueOptions) => postgresQueue(storage, queueOptions),
    async close() {
      await operations.close()
      await kysely.destroy()
    },
  }
}

/** Shows whoever starts a server what is wrong with the connection, where a caller of it would not be told. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isSallyportError(error) && error.cause instanceof PostgresConnectionError) throw error.cause
    throw error
  }
}
