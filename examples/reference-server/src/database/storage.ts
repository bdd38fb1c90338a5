import { join } from 'node:path'
import { isSallyportError } from '@sallyport/errors'
import type { BodiesOptions, DatabaseQueue, EmbeddedBus, SqliteDatabase } from '@sallyport/sql/sqlite'
import type { CompleteInbox, Publisher } from '@sallyport/webhooks'
import type { WebhookDatabase } from '@sallyport/webhooks/node'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Settings } from '../config/settings.ts'
import { logUnreadable, type Logger, logOutage } from '../logging/log.ts'
import type { Dependency } from '@sallyport/rest/health'
import { createLastOutcome } from '@sallyport/internal/last-outcome'
import { openBodies, type BodySettings, type OpenBodies } from './open-bodies.ts'
import type { Tables } from './tables.ts'

/** The storage of the server. */
export interface Storage {
  readonly inbox: CompleteInbox
  readonly bus: Publisher
  /** The shared queue. */
  readonly queue: DatabaseQueue
  /**
   * Deletes expired events of the embedded bus, which keeps them for longer than the records, so that it recognizes replayed
   * ids.
   *
   * @param retentionDays the retention of records
   */
  readonly pruneBus: (retentionDays: number, signal: AbortSignal) => Promise<void>
  /** The stores of webhooks beside the inbox. */
  readonly stores: Pick<
    SqliteDatabase,
    | 'endpoints'
    | 'destinations'
    | 'traffic'
    | 'unprocessed'
    | 'replayJobs'
    | 'alerts'
    | 'processes'
    | 'audit'
    | 'consumers'
    | 'idempotency'
    | 'rotateKeys'
  > &
    Pick<WebhookDatabase, 'onWork'>
  /** The tables of the REST API. */
  readonly db: Kysely<Tables>
  /** The same tables for short reads, which are faster on SQLite. */
  readonly reads: Kysely<Tables>
  readonly search: SqliteDatabase['search']
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
type StorageSettings = Pick<Settings, 'DATA_DIR' | 'DATABASE_URL' | 'MIGRATE'> &
  Partial<Pick<Settings, 'ENCRYPT_BODIES' | 'ENCRYPT_SUBJECTS'>> &
  BodySettings

/** How stored content is encrypted, and where large bodies are. */
interface Content {
  readonly encryption: {
    readonly keys: readonly Uint8Array[]
    readonly encryptsNew: boolean
    readonly encryptsSubjects: boolean
  }
  readonly bodies?: BodiesOptions
}

/** Opens the storage of the settings and migrates the inbox. Loads only the driver of this database. */
export async function openStorage(
  { DATA_DIR, DATABASE_URL, MIGRATE, ENCRYPT_BODIES: encryptsNew = false, ...settings }: StorageSettings,
  log: StorageLog,
  encryptionKeys: readonly Uint8Array[] = [],
): Promise<Storage> {
  const opened = openBodies(settings)
  const content = {
    encryption: { keys: encryptionKeys, encryptsNew, encryptsSubjects: settings.ENCRYPT_SUBJECTS ?? false },
    ...(opened && { bodies: opened.bodies }),
  }
  const storage =
    DATABASE_URL === undefined
      ? await openFile(join(DATA_DIR, 'sallyport.db'), content, log)
      : await openServer({ url: DATABASE_URL, migrates: MIGRATE, content }, log)
  return opened === undefined ? storage : withBodies(storage, opened)
}

const withBodies = (storage: Storage, { dependency, notices, close }: OpenBodies): Storage => ({
  ...storage,
  dependencies: [...storage.dependencies, dependency],
  notices: () => [...storage.notices(), ...notices()],
  async close() {
    await storage.close()
    close()
  },
})

async function openFile(path: string, content: Content, log: StorageLog): Promise<Storage> {
  const { openSqlite } = await import('@sallyport/sql/sqlite')
  let lost: string | undefined
  const logLost = logOutage(log, 'The database file is lost')
  const database = await openSqlite({
    path,
    ...content,
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
    bus,
    queue: database.queue(),
    pruneBus: createBusPrune(bus),
    stores: database,
    db: database.kysely.$extendTables<Tables>(),
    reads: database.reads.$extendTables<Tables>(),
    search: database.search,
    migrate: (migrations, options) => database.migrate(migrations, options),
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

async function openServer(
  { url, migrates, content }: { readonly url: string; readonly migrates: boolean; readonly content: Content },
  log: StorageLog,
): Promise<Storage> {
  const { openPostgres } = await import('@sallyport/sql/postgres')
  const onConnectionLost = logOutage(log, 'A connection to the database was lost')
  const database = await openPostgres({ url, ...content, onConnectionLost })
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
    bus,
    queue: database.queue(),
    pruneBus: createBusPrune(bus),
    stores: database,
    db,
    reads: db,
    search: database.search,
    migrate: migrates ? database.migrate : database.check,
    dependencies: [dependency, { name: 'database', ping: () => sql`select 1`.execute(database.kysely) }],
    notices: () => [...notices(), ...database.warnings],
    close: database.close,
  }
}

const createBusPrune =
  (bus: Pick<EmbeddedBus, 'prune'>): Storage['pruneBus'] =>
  async (retentionDays, signal) => {
    const publishedForMs = (retentionDays + 2) * 24 * 60 * 60 * 1000
    while (!signal.aborted && (await bus.prune({ publishedForMs })).more);
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
        isSallyportError(error) && error.code === 'INBOX_UNAVAILABLE' ? { failure: error.code } : undefined,
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
    dependency: { name: 'inbox', ping: () => inbox.ping(), getFailure: last.getFailure },
    notices: () => (stopped === undefined ? [] : [stopped]),
  }
}
