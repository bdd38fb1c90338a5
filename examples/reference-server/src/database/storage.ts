import { join } from 'node:path'
import { isSallyportError } from '@sallyport/errors'
import type { DatabaseQueue, SqliteDatabase } from '@sallyport/sql/sqlite'
import type { CompleteInbox, Publisher, Work } from '@sallyport/webhooks'
import type { ReplayJobStore } from '@sallyport/webhooks/replay-jobs'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Settings } from '../config/settings.ts'
import { logUnreadable, type Logger, logOutage } from '../logging/log.ts'
import { createLastOutcome, type Dependency } from '../service/readiness.ts'
import { createSearch, type Search } from './row-queries.ts'
import type { Tables } from './tables.ts'

/** The storage of the server. */
export interface Storage {
  readonly inbox: CompleteInbox
  readonly replayJobs: ReplayJobStore
  readonly bus: Publisher
  /** The shared queue. */
  readonly queue: DatabaseQueue
  /** Deletes a batch of events that were published longer ago, in milliseconds; undefined without an embedded bus. */
  readonly pruneBus?: (publishedForMs: number) => Promise<{ readonly more: boolean }>
  /** The stores of webhooks beside the inbox. */
  readonly stores: Pick<
    SqliteDatabase,
    'endpoints' | 'traffic' | 'unprocessed' | 'alerts' | 'audit' | 'consumers' | 'idempotency'
  >
  /** The tables of the REST API. */
  readonly db: Kysely<Tables>
  /** The same tables for short reads, which are faster on SQLite. */
  readonly reads: Kysely<Tables>
  readonly search: Search
  /** Calls the listener when another process may have added work to the inbox. Returns the function that unsubscribes. */
  readonly onWork?: (listener: (work: Work) => void) => () => void
  /** Runs migrations under a lock, or rejects if one is missing. The table records the migrations that have run. */
  readonly migrate: (
    migrations: Readonly<Record<string, Migration>>,
    options: { readonly table: string },
  ) => Promise<void>
  /** The dependencies for `/ready`. */
  readonly dependencies: readonly Dependency[]
  /** The current notices for the operator. */
  readonly notices: () => readonly string[]
  readonly close: () => Promise<void>
}

type StorageLog = Pick<Logger, 'debug' | 'error'>

/** Opens the storage of the settings and migrates the inbox. Loads only the driver of this database. */
export function openStorage(
  { DATA_DIR, DATABASE_URL, MIGRATE }: Pick<Settings, 'DATA_DIR' | 'DATABASE_URL' | 'MIGRATE'>,
  log: StorageLog,
): Promise<Storage> {
  return DATABASE_URL === undefined
    ? openFile(join(DATA_DIR, 'sallyport.db'), log)
    : openServer(DATABASE_URL, MIGRATE, log)
}

async function openFile(path: string, log: StorageLog): Promise<Storage> {
  const { migrate, openSqlite } = await import('@sallyport/sql/sqlite')
  let lost: string | undefined
  const logLost = logOutage(log, 'The database file is lost')
  const database = await openSqlite({
    path,
    onFileLost: (error) => {
      lost = error.message
      logLost(error)
    },
  })
  const { inbox, dependency, notices } = watchInbox(database.inbox({ onError: logUnreadable(log) }))
  const bus = database.bus()
  // Starts the thread, so that the first delivery does not wait for it. `/ready` reports a failure.
  inbox.ping().catch(() => undefined)
  return {
    inbox,
    replayJobs: database.replayJobs(),
    bus,
    queue: database.queue(),
    pruneBus: (publishedForMs) => bus.prune({ publishedForMs }),
    stores: database,
    db: database.kysely.$extendTables<Tables>(),
    reads: database.reads.$extendTables<Tables>(),
    // One thread runs the queries.
    search: createSearch({ contains: 'instr', maxRunning: 1 }),
    migrate: (migrations, options) => migrate(database.kysely, migrations, options),
    dependencies: [
      {
        ...dependency,
        async ping() {
          await inbox.ping()
          lost = undefined
        },
      },
    ],
    notices: () => [...(lost === undefined ? [] : [lost]), ...notices(), ...database.warnings],
    close: () => database.close(),
  }
}

async function openServer(url: string, migrates: boolean, log: StorageLog): Promise<Storage> {
  const { openPostgres } = await import('@sallyport/sql/postgres')
  const onConnectionLost = logOutage(log, 'A connection to the database was lost')
  const database = await openPostgres({ url, onConnectionLost })
  try {
    await (migrates ? database.migrate() : database.check())
  } catch (error) {
    await database.close()
    throw error
  }
  const { inbox, dependency, notices } = watchInbox(database.inbox({ onError: logUnreadable(log) }))
  const bus = database.bus()
  const db = database.kysely.$extendTables<Tables>()
  return {
    inbox,
    replayJobs: database.replayJobs(),
    bus,
    queue: database.queue(),
    pruneBus: (publishedForMs) => bus.prune({ publishedForMs }),
    stores: database,
    db,
    reads: db,
    // The pool has ten connections, which the inbox uses too.
    search: createSearch({ contains: 'strpos', maxRunning: 2 }),
    migrate: migrates ? database.migrate : database.check,
    onWork: database.onWork,
    dependencies: [dependency, { name: 'database', ping: () => sql`select 1`.execute(database.kysely) }],
    notices: () => [...notices(), ...database.warnings],
    close: database.close,
  }
}

/** Longer than the interval of a load balancer's health check. */
const recordWindowMs = 30_000

/**
 * Wraps an inbox. Its dependency is failing after a failed record. A notice says when claims have stopped because a newer
 * version has migrated the database; the process stays ready, because it still records deliveries.
 */
function watchInbox(inbox: CompleteInbox): {
  readonly inbox: CompleteInbox
  readonly dependency: Dependency
  readonly notices: () => readonly string[]
} {
  let stopped: string | undefined
  const last = createLastOutcome(recordWindowMs)
  const record: CompleteInbox['record'] = (...delivery) =>
    last.track(inbox.record(...delivery), {
      resolved: () => 'ok',
      // Other errors concern the delivery or the load.
      rejected: (error) =>
        isSallyportError(error) && error.code === 'INBOX_UNAVAILABLE' ? 'failed' : undefined,
    })
  const claim: CompleteInbox['claim'] = async (...request) => {
    try {
      const claimed = await inbox.claim(...request)
      stopped = undefined
      return claimed
    } catch (error) {
      if (isSallyportError(error) && error.code === 'DATABASE_TOO_NEW')
        stopped = `This process publishes nothing from the database. ${error.message}`
      throw error
    }
  }
  return {
    inbox: { ...inbox, record, claim },
    dependency: { name: 'inbox', ping: () => inbox.ping(), isFailing: last.isFailing },
    notices: () => (stopped === undefined ? [] : [stopped]),
  }
}
