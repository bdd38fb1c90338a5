import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type Driver,
  type TransactionSettings,
} from 'kysely'
import { resolve } from 'node:path'
import type { SqliteError } from './errors.ts'
import { ConnectionLock, ConnectionMutex } from './connection-mutex.ts'
import { WorkerClient } from './worker-client.ts'
import { WorkerConnection, type ConnectionLimits } from './worker-connection.ts'
import type { ConnectionOptions, QueryRequest, QueryResponse } from './worker-messages.ts'

/** Timeouts of callers and transactions, in milliseconds, and the maximum number of waiting callers. */
export interface DialectLimits {
  readonly connectTimeoutMs: number
  readonly maxWaiting: number
  readonly idleInTransactionTimeoutMs: number
  /** How long a transaction that writes may take. @default no limit */
  readonly transactionMs?: number
}

/**
 * Creates a dialect whose connection lives in a worker thread, so that the event loop never waits for SQLite.
 *
 * Queries and transactions share one connection and take turns. A transaction takes the write lock at its beginning,
 * unless its access mode is `read only`, so that a transaction that reads first can still write. While another process
 * has the lock, other callers use the connection. When the thread dies, its requests fail (`WORKER_DIED`) and the next
 * request starts a new thread.
 */
export function workerDialect(
  options: ConnectionOptions,
  limits: DialectLimits,
  betweenWrites?: ConnectionLimits['betweenWrites'],
  onFailure?: (error: SqliteError) => void,
): Dialect {
  return {
    createDriver: () => new WorkerDriver(options, limits, betweenWrites, onFailure),
    createAdapter: () => new WorkerAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class WorkerAdapter extends SqliteAdapter {
  // Schema changes of SQLite roll back, so a single transaction is the lock of the migrations.
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  // The driver queues callers with a timeout. Kysely's own queue has none.
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class WorkerDriver implements Driver {
  readonly #worker: WorkerClient<QueryRequest, QueryResponse>
  readonly #mutex: ConnectionMutex
  readonly #limits: ConnectionLimits

  constructor(
    options: ConnectionOptions,
    limits: DialectLimits,
    betweenWrites: ConnectionLimits['betweenWrites'],
    onFailure: ((error: SqliteError) => void) | undefined,
  ) {
    this.#worker = new WorkerClient('query-worker', options, onFailure)
    const { connectTimeoutMs: timeoutMs, maxWaiting, ...transactions } = limits
    this.#mutex = new ConnectionMutex({ timeoutMs, maxWaiting })
    this.#limits = { busyTimeoutMs: options.busyTimeoutMs, ...transactions, betweenWrites }
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  async acquireConnection(): Promise<WorkerConnection> {
    await this.#mutex.acquire()
    return new WorkerConnection(this.#worker, new ConnectionLock(this.#mutex), this.#limits)
  }

  releaseConnection(connection: WorkerConnection): Promise<void> {
    return connection.release()
  }

  beginTransaction(connection: WorkerConnection, { accessMode }: TransactionSettings): Promise<void> {
    return connection.begin(accessMode ?? 'read write')
  }

  commitTransaction(connection: WorkerConnection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: WorkerConnection): Promise<void> {
    return connection.rollback()
  }

  savepoint(connection: WorkerConnection, name: string): Promise<void> {
    return connection.run(`savepoint ${quoted(name)}`)
  }

  rollbackToSavepoint(connection: WorkerConnection, name: string): Promise<void> {
    return connection.run(`rollback to ${quoted(name)}`)
  }

  releaseSavepoint(connection: WorkerConnection, name: string): Promise<void> {
    return connection.run(`release ${quoted(name)}`)
  }

  destroy(): Promise<void> {
    return this.#worker.close()
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export interface SqliteDialectOptions {
  /** The database file, which must exist. */
  readonly path: string
  /**
   * How long a statement or the beginning of a transaction waits for the write lock of another process, in milliseconds;
   * other callers use the connection in between. @default 5,000
   */
  readonly busyTimeoutMs?: number
  /**
   * How long a caller waits for the connection while its user makes no progress, in milliseconds. The time restarts with
   * each statement that begins or ends, and with each change of the user. @default 5,000
   */
  readonly connectTimeoutMs?: number
  /** How many callers may wait for the connection; further callers fail with `OVERLOADED`. @default 1,000 */
  readonly maxWaiting?: number
  /**
   * How long a transaction may wait for its next statement, in milliseconds, before it is rolled back. Migrations have no
   * such limit. @default 10,000
   */
  readonly idleInTransactionTimeoutMs?: number
}

// A longer timer ends at once.
const maxTimer = 2 ** 31 - 1

/** @throws TypeError for a path that names no file, or a time-out out of range */
export function resolveConnection({ path, busyTimeoutMs = 5000 }: SqliteDialectOptions): ConnectionOptions {
  if (typeof path !== 'string') throw new TypeError('path must be the path of a file')
  if (path.trim() === '') throw new TypeError('path is empty: set the path of a file, such as ./data/app.db')
  if (path.startsWith(':memory:')) {
    throw new TypeError('A database needs a file: a database in memory cannot be shared by two threads')
  }
  if (/^file:/i.test(path)) throw new TypeError('path must be the path of a file, not its address')
  requireTimer('busyTimeoutMs', busyTimeoutMs, 0)
  return { path: resolve(path), busyTimeoutMs }
}

/** @throws TypeError for a limit out of range */
export function resolveLimits({
  connectTimeoutMs = 5000,
  maxWaiting = 1000,
  idleInTransactionTimeoutMs = 10_000,
}: SqliteDialectOptions): DialectLimits {
  const limits = { connectTimeoutMs, maxWaiting, idleInTransactionTimeoutMs }
  for (const [name, value] of Object.entries(limits)) requireTimer(name, value, 1)
  return limits
}

export function requireTimer(name: string, value: number, min: number): void {
  if (!(Number.isSafeInteger(value) && value >= min && value <= maxTimer))
    throw new TypeError(`${name} must be an integer from ${min} to ${maxTimer}`)
}
