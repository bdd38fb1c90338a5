import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type Driver,
  type TransactionSettings,
} from 'kysely'
import type { SqliteError } from './errors.ts'
import type { QueryRequest, QueryResponse } from './query-messages.ts'
import { Turn } from './turn.ts'
import { Turns } from './turns.ts'
import { WorkerClient } from './worker-client.ts'
import { WorkerConnection, type Lending } from './worker-connection.ts'
import type { ConnectionOptions } from './worker-messages.ts'

/** Timeouts of callers and transactions, in milliseconds, and the maximum number of waiting callers. */
export interface DialectLimits {
  readonly connectTimeoutMs: number
  readonly maxWaiting: number
  readonly idleInTransactionTimeoutMs: number
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
  letOthersWrite?: Lending['letOthersWrite'],
  onFailure?: (error: SqliteError) => void,
): Dialect {
  return {
    createDriver: () => new WorkerDriver(options, limits, letOthersWrite, onFailure),
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
  readonly #turns: Turns
  readonly #lending: Lending

  constructor(
    options: ConnectionOptions,
    limits: DialectLimits,
    letOthersWrite: Lending['letOthersWrite'],
    onFailure: ((error: SqliteError) => void) | undefined,
  ) {
    this.#worker = new WorkerClient('query-worker', options, onFailure)
    const { connectTimeoutMs: patienceMs, maxWaiting, idleInTransactionTimeoutMs } = limits
    this.#turns = new Turns({ patienceMs, maxWaiting })
    this.#lending = { busyTimeoutMs: options.busyTimeoutMs, idleInTransactionTimeoutMs, letOthersWrite }
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  async acquireConnection(): Promise<WorkerConnection> {
    await this.#turns.take()
    return new WorkerConnection(this.#worker, new Turn(this.#turns), this.#lending)
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
