import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { SqliteError } from './errors.ts'
import type { QueryRequest, QueryResponse } from './query-messages.ts'
import { WorkerClient } from './worker-client.ts'
import type { ConnectionOptions } from './worker-messages.ts'

/**
 * A dialect whose connection lives in a worker thread: the event loop never waits for SQLite.
 *
 * There is one connection, so queries and transactions take turns. Transactions take the write lock when they begin,
 * unless their access mode is `read only`: one that reads first and writes later cannot fail half-way for another's
 * sake. A thread that dies fails what it was asked (`WORKER_DIED`) and is replaced.
 */
export function workerDialect(options: ConnectionOptions): Dialect {
  return {
    createDriver: () => new WorkerDriver(options),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class TransactionalAdapter extends SqliteAdapter {
  // SQLite's schema changes roll back; migrations run in one transaction, which is their lock.
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class WorkerDriver implements Driver {
  readonly #worker: WorkerClient<QueryRequest, QueryResponse>
  readonly #connection: WorkerConnection

  constructor(options: ConnectionOptions) {
    this.#worker = new WorkerClient('query-worker', options)
    this.#connection = new WorkerConnection(this.#worker)
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  // Kysely lends it to one at a time: the adapter says that there are no others.
  acquireConnection(): Promise<WorkerConnection> {
    return Promise.resolve(this.#connection)
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve()
  }

  beginTransaction(connection: WorkerConnection, { accessMode }: TransactionSettings): Promise<void> {
    return connection.begin(accessMode === 'read only' ? 'begin' : 'begin immediate')
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

class WorkerConnection implements DatabaseConnection {
  readonly #worker: WorkerClient<QueryRequest, QueryResponse>
  /** The generation of the worker that the transaction was begun in. */
  #began: number | undefined

  constructor(worker: WorkerClient<QueryRequest, QueryResponse>) {
    this.#worker = worker
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes, insertId } = await this.#request({ sql, parameters })
    return {
      rows: rows as Row[],
      ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
      ...(insertId !== undefined && { insertId: BigInt(insertId) }),
    }
  }

  /** Reads the whole result first, then gives it out in chunks. */
  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    const { rows } = await this.executeQuery<Row>(query)
    for (let start = 0; start < rows.length; start += chunkSize) {
      yield { rows: rows.slice(start, start + chunkSize) }
    }
  }

  async run(sql: string): Promise<void> {
    await this.#request({ sql, parameters: [] })
  }

  async begin(sql: string): Promise<void> {
    await this.run(sql)
    this.#began = this.#worker.generation
  }

  async commit(): Promise<void> {
    await this.run('commit')
    this.#began = undefined
  }

  async rollback(): Promise<void> {
    const lost = this.#isLost()
    this.#began = undefined
    // Where the worker has died, the transaction went with it.
    if (!lost) await this.#worker.request('rollback')
  }

  #request(request: QueryRequest): Promise<QueryResponse> {
    if (!this.#isLost()) return this.#worker.request(request)
    return Promise.reject(
      new SqliteError({ code: 'WORKER_DIED', message: 'The thread that held this transaction has ended' }),
    )
  }

  #isLost(): boolean {
    return this.#began !== undefined && this.#began !== this.#worker.generation
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
