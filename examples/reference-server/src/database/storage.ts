import { join } from 'node:path'
import { isSallyportError } from '@sallyport/errors'
import type { CompleteInbox, Publisher, Queue, Work } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Settings } from '../config/settings.ts'
import type { Logger } from '../log.ts'
import { logOutage } from '../log-outage.ts'
import { logUnreadable } from '../log-unreadable.ts'
import { createLastOutcome } from '../service/last-outcome.ts'
import type { Dependency } from '../service/readiness.ts'
import { createSearch, type Search } from './search.ts'
import type { Tables } from './tables.ts'

/** Where everything is kept. */
export interface Storage {
  readonly inbox: CompleteInbox
  readonly bus: Publisher
  /** The shared queue. */
  readonly queue: Queue
  /** Deletes a portion of what was published on the bus longer ago, in milliseconds, where that is kept here. */
  readonly pruneBus?: (publishedForMs: number) => Promise<{ readonly more: boolean }>
  /** The tables of the REST API. */
  readonly db: Kysely<Tables>
  /** The same for reads that are short, which the embedded database answers faster. */
  readonly reads: Kysely<Tables>
  readonly search: Search
  /** Calls back when another process may have left work in the inbox, until the returned function is called. */
  readonly onWork?: (listener: (work: Work) => void) => () => void
  /** Runs migrations under a lock, or refuses to go on without them; the table remembers which have run. */
  readonly migrate: (
    migrations: Readonly<Record<string, Migration>>,
    options: { readonly table: string },
  ) => Promise<void>
  /** What has to answer for the server to be ready. */
  readonly dependencies: readonly Dependency[]
  /** What an operator should know about the storage, as it is now. */
  readonly notices: () => readonly string[]
  readonly close: () => Promise<void>
}

type StorageLog = Pick<Logger, 'debug' | 'error'>

/** Opens the storage that the settings name, and brings the inbox up to date. Only that engine's driver is loaded. */
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
  const { inbox, dependency } = watchRecords(database.inbox({ onError: logUnreadable(log) }))
  const bus = database.bus()
  // Its thread starts while the server does, and the first delivery does not wait for it. `/ready` says if it cannot.
  inbox.ping().catch(() => undefined)
  return {
    inbox,
    bus,
    queue: database.queue({ onError: logUnreadable(log) }),
    pruneBus: (publishedForMs) => bus.prune({ publishedForMs }),
    db: database.kysely.$extendTables<Tables>(),
    reads: database.reads.$extendTables<Tables>(),
    // There is one thread that queries.
    search: createSearch({ contains: 'instr', atOnce: 1 }),
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
    notices: () => (lost === undefined ? database.warnings : [lost, ...database.warnings]),
    close: () => database.close(),
  }
}

async function openServer(url: string, migrates: boolean, log: StorageLog): Promise<Storage> {
  const { openPostgres } = await import('@sallyport/sql/postgres')
  const onConnectionLost = logOutage(log, 'A connection to the database was lost')
  const database = await openPostgres({ url, onConnectionLost })
  try {
    await (migrates ? database.migrateInbox() : database.checkInbox())
  } catch (error) {
    await database.close()
    throw error
  }
  const { inbox, dependency } = watchRecords(database.inbox({ onError: logUnreadable(log) }))
  const bus = database.bus()
  const db = database.kysely.$extendTables<Tables>()
  return {
    inbox,
    bus,
    queue: database.queue({ onError: logUnreadable(log) }),
    pruneBus: (publishedForMs) => bus.prune({ publishedForMs }),
    db,
    reads: db,
    // Of ten connections, which the inbox needs as well.
    search: createSearch({ contains: 'strpos', atOnce: 2 }),
    migrate: migrates ? database.migrate : database.check,
    onWork: database.onWork,
    dependencies: [dependency, { name: 'database', ping: () => sql`select 1`.execute(database.kysely) }],
    notices: () => database.warnings,
    close: database.close,
  }
}

/** Longer than a probe of a balancer waits between two questions; then the ping decides again. */
const recordWindowMs = 30_000

/** An inbox with its dependency, which is failing after a delivery that could not be recorded. */
function watchRecords(inbox: CompleteInbox): {
  readonly inbox: CompleteInbox
  readonly dependency: Dependency
} {
  const last = createLastOutcome(recordWindowMs)
  const record: CompleteInbox['record'] = (...delivery) =>
    last.keep(inbox.record(...delivery), {
      resolved: () => 'ok',
      // Other errors are about the delivery, or about how much waits.
      rejected: (error) =>
        isSallyportError(error) && error.code === 'INBOX_UNAVAILABLE' ? 'failed' : undefined,
    })
  return {
    inbox: { ...inbox, record },
    dependency: { name: 'inbox', ping: () => inbox.ping(), isFailing: last.isFailing },
  }
}
