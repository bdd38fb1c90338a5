import type { Work } from '@sallyport/webhooks'
import { Kysely } from 'kysely'
import { createBodies } from '../bodies/bodies.ts'
import { createConsumerStore } from '../bus/consumer-store.ts'
import { createBusConsumer } from '../bus/consumer.ts'
import { rotateKeys } from '../encryption/rotate-keys.ts'
import { createValueHashes } from '../encryption/value-hashes.ts'
import { createVault } from '../encryption/vault.ts'
import { databaseClock } from '../internal/clock.ts'
import { createOnce } from '../internal/once.ts'
import { OpenHandles } from '../internal/open-handles.ts'
import type { MigrateOptions } from '../sqlite/migrate.ts'
import { migrationTable } from '../migrations/migrations.ts'
import type { BodyEvents } from '../internal/event-json.ts'
import { createSchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables } from '../internal/tables.ts'
import type { OpenedDatabase } from '../opened-database.ts'
import { replayJobStore } from '../replay-jobs/store.ts'
import { createRowSearch } from '../rows/row-search.ts'
import { createStores } from '../stores.ts'
import { postgresBus, type PostgresBusOptions } from './bus.ts'
import { inboxMigrations } from './migrations.ts'
import { openConnections } from './connections.ts'
import { SchemaDialect } from './dialect.ts'
import { durabilitySettings, warnAbout } from './durable.ts'
import { findConnectionError } from './errors.ts'
import { postgresInbox, type PostgresInboxOptions } from './inbox.ts'
import { checkMigrations, migratePostgres, type Migrations, type RunMigrations } from './migrate.ts'
import type { PostgresOptions } from './options.ts'
import { postgresQueue } from './queue.ts'
import { createTransactional, type Transactional } from './transactional.ts'
import { openTransaction, withinTransaction, type InboxTransaction, type OpenTransaction } from './within.ts'

/** An open database: the `database` of `createWebhooks`. */
export interface PostgresDatabase extends OpenedDatabase<unknown, PostgresInboxOptions, PostgresBusOptions> {
  /**
   * Queries over the pool, in the schema of the options. For your own tables, use `kysely.$extendTables<MyTables>()`; for
   * those of the inbox, `kysely.$extendTables<InboxTables>()`.
   *
   * `bigint` is read as a number. Queries throw SallyportError `SERVICE_UNAVAILABLE` (503) when a connection fails or
   * breaks, `OVERLOADED` (503) when too many callers wait for one, and the errors of the driver unchanged.
   */
  readonly kysely: Kysely<unknown>
  /**
   * Creates and updates the tables of webhooks, or runs migrations of yours: the pending ones in the order of their names, in
   * one transaction, over a separate connection without timeouts. Processes that start together take turns. Migrations wait
   * up to 90 seconds for a table that is in use, such as by a backup, in attempts of two seconds between which other
   * statements run.
   *
   * Through a pooler in transaction mode, such as PgBouncer, use a direct URL for migrations: the lock belongs to a
   * session.
   *
   * @throws SallyportError `DATABASE_TOO_NEW` when a newer version has migrated the database, `DATABASE_BUSY` when a table
   *   stayed in use
   * @throws PostgresConnectionError when the connection fails
   */
  readonly migrate: RunMigrations
  /**
   * Checks that all migrations of webhooks, or of yours, have run, without changes: for servers that do not migrate.
   * {@link migrationSql} prints the migrations.
   *
   * @throws SallyportError `DATABASE_TOO_OLD`, with the names of the missing migrations, or `DATABASE_TOO_NEW`
   */
  readonly check: RunMigrations
  /**
   * Calls the listener when the inbox may have new work, also of other processes, until the returned function is called:
   * `database.onWork((work) => dispatcher.wake(work))`. Calls may be unnecessary or missing: a dispatcher also polls.
   */
  readonly onWork: (listener: (work: Work) => void) => () => void
  /** Runs inbox operations as a part of your transaction; see {@link InboxTransaction}. A pool is not a transaction. */
  readonly within: (transaction: OpenTransaction) => InboxTransaction
  /**
   * Creates a handler of `createWebhooks({ on })` whose event is settled in the transaction of its effects: a crash leaves both or
   * neither, and a replay runs it again. The function does slow work, and returns the step that writes the effects:
   *
   * ```ts
   * import { openPostgres } from '@sallyport/sql/postgres'
   * import pg from 'pg'
   *
   * const pool = new pg.Pool()
   * const database = await openPostgres({ url: 'postgres://sallyport@localhost:5432/sallyport' })
   * const countDoor = database.transactional(
   *   async ({ data }: { data: { door: string } }, signal) => {
   *     const address = await fetch(`https://doors.example/${data.door}`, { signal }).then((found) => found.text())
   *     return (client) => client.query('insert into rings values ($1)', [address])
   *   },
   *   { client: pool },
   * )
   * ```
   *
   * `client` is a `pg.Pool`, a Kysely instance or a Drizzle database of yours for the same database; with another `search_path`,
   * set `schema`. Without it, the transaction is one of Kysely, over the connections of handlers. A lost lease, an error and an
   * aborted signal roll back.
   */
  readonly transactional: Transactional
}

/**
 * Connects to PostgreSQL through a bounded pool, or through a pool of yours.
 *
 * @throws PostgresConnectionError when the connection fails; the message names the server, the reason and the remedy,
 *   without the password
 * @throws TypeError for an invalid URL, or an option out of range
 *
 * @example
 * ```ts
 * import { openPostgres } from '@sallyport/sql/postgres'
 * import { restMigrations } from '@sallyport/sql/rest'
 *
 * const database = await openPostgres({ url: 'postgres://sallyport@localhost:5432/sallyport', migrate: true })
 * await database.migrate({ '0001-sessions': restMigrations.sessions }, { table: 'my_migrations' })
 * await database.close()
 * ```
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const vault = createVault(options.encryption)
  const { settings, pool, handlerPool, migrationPool, wakeUps } = openConnections(options)
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

  const own = { table: migrationTable }
  const openHandles = new OpenHandles()
  const kysely = new Kysely<InboxTables>({ dialect: new SchemaDialect(pool, schema) })
  const bodyEvents: BodyEvents = new WeakMap()
  const readHashes = createValueHashes(kysely, vault)
  /** Runs migrations. Those of webhooks include the check that the ring has the key of the database. */
  const running =
    (run: (migrations: Migrations, table: string) => Promise<void>): RunMigrations =>
    async (migrations: Migrations = inboxMigrations, { table }: MigrateOptions = own) => {
      await explained(() => run(migrations, table))
      if (migrations === inboxMigrations) await readHashes()
    }
  const migrate = running((migrations, table) =>
    migratePostgres(migrationPool, migrations, { table, schema }),
  )
  const check = running((migrations, table) => checkMigrations(plain, migrations, { table, schema }))
  const { operations } = openHandles
  const schemaCheck = createSchemaCheck(kysely, inboxMigrations)
  const storage = {
    kysely,
    operations,
    maxConnections,
    wakeUps,
    bodyEvents,
    schema: schemaCheck,
    vault,
    bodies: createBodies(kysely, options.bodies),
    readHashes,
  }

  const inSchema = (db: Kysely<unknown>) => (schema === undefined ? db : db.withSchema(schema))
  const queries = inSchema(plain)
  const handlerQueries = new Kysely<unknown>({ dialect: new SchemaDialect(handlerPool, undefined) })
  const handlers = inSchema(handlerQueries)
  const database: PostgresDatabase = {
    ...createStores(queries, { vault, readHashes }),
    kysely: queries,
    // The pool has ten connections, which the inbox uses too.
    search: createRowSearch({ contains: 'strpos', maxRunning: 2 }),
    migrate,
    check,
    inbox: (inboxOptions) => openHandles.track(postgresInbox(storage, inboxOptions)),
    bus: (busOptions) => openHandles.trackBus(postgresBus(storage, busOptions)),
    consumer: (consumerOptions) => createBusConsumer(storage, consumerOptions),
    consumers: () => createConsumerStore(kysely, vault),
    replayJobs: () => replayJobStore(storage, databaseClock(kysely)),
    queue: () => postgresQueue(storage),
    warnings,
    onWork: (listener) => wakeUps.listen(listener),
    once: createOnce({
      transactions: () => (work) => handlers.transaction().execute(work),
      reads: new Kysely<InboxTables>({ dialect: new SchemaDialect(handlerPool, schema) }),
      adapt: (transaction) => openTransaction(transaction, schema),
    }),
    transactional: createTransactional(handlers, schema, () => {
      wakeUps.notify('notify')
    }),
    rotateKeys: () => rotateKeys(kysely, vault),
    within: (transaction) => withinTransaction(transaction, { schema, vault, readHashes }),
    async close() {
      await openHandles.close()
      await wakeUps.close()
      await Promise.all([plain.destroy(), kysely.destroy(), handlerQueries.destroy()])
    },
  }
  try {
    if (options.migrate) await migrate()
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** Throws the connection error itself, so that an operator sees it when the server starts. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw findConnectionError(error) ?? error
  }
}
