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

/** How long whoever asks waits, and may keep others waiting, in milliseconds; and how many may wait. */
export interface DialectLimits {
  readonly connectTimeoutMs: number
  readonly maxWaiting: number
  readonly idleInTransactionTimeoutMs: number
}

/**
 * A dialect whose connection lives in a worker thread: the event loop never waits for SQLite.
 *
 * There is one connection, so queries and transactions take turns. Transactions take the write lock when they begin,
 * unless their access mode is `read only`: one that reads first and writes later cannot fail half-way for another's
 * sake. While another process has that lock, others have the connection. A thread that dies fails what it was asked
 * (`WORKER_DIED`) and is replaced.
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
  // SQLite's schema changes roll back; migrations run in one transaction, which is their lock.
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  // The driver lends the one that there is by turns: Kysely itself would have callers wait without bound.
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
