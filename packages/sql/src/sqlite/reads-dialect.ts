import type Database from 'better-sqlite3'
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import { narrow, openReader, cacheStatements, tooLarge } from './connection.ts'

/** Runs a query on the worker thread. */
export type RunOnWorker = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/**
 * Creates a dialect that reads on the thread of the caller, which is faster than a message to another thread.
 *
 * Every query is a separate read transaction. In WAL mode, a query sees every earlier commit, waits for no writer, and
 * keeps no lock. When SQLite cannot answer at once (another process recovers the database, the file cannot be opened),
 * the query runs on the worker thread.
 */
export function readsDialect(path: string, runOnWorker: RunOnWorker): Dialect {
  return {
    createDriver: () => new ReadsDriver(path, runOnWorker),
    createAdapter: () => new IndependentAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class IndependentAdapter extends SqliteAdapter {
  // The connection is synchronous, so queries never overlap.
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class ReadsDriver implements Driver {
  readonly #connection: ReadsConnection

  constructor(path: string, runOnWorker: RunOnWorker) {
    this.#connection = new ReadsConnection(path, runOnWorker)
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  acquireConnection(): Promise<ReadsConnection> {
    return Promise.resolve(this.#connection)
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve()
  }

  beginTransaction(): Promise<void> {
    return Promise.reject(new TypeError('These reads have no transactions; use the other connection'))
  }

  commitTransaction(): Promise<void> {
    return Promise.resolve()
  }

  rollbackTransaction(): Promise<void> {
    return Promise.resolve()
  }

  destroy(): Promise<void> {
    this.#connection.close()
    return Promise.resolve()
  }
}

class ReadsConnection implements DatabaseConnection {
  readonly #path: string
  readonly #runOnWorker: RunOnWorker
  #connection: Database.Database | undefined
  #prepareCached: ((sql: string) => Database.Statement) | undefined

  constructor(path: string, runOnWorker: RunOnWorker) {
    this.#path = path
    this.#runOnWorker = runOnWorker
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    let rows: unknown[] | undefined
    try {
      const statement = this.#prepare(query.sql)
      if (statement.reader && statement.readonly) rows = statement.all(...query.parameters)
    } catch {
      return (await this.#runOnWorker(query)) as QueryResult<Row>
    }
    if (rows === undefined) throw new TypeError('These reads change nothing; use the other connection')
    if (!narrow(rows)) throw tooLarge()
    return { rows: rows as Row[] }
  }

  /** Reads the whole result first, then returns it in chunks. */
  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    const { rows } = await this.executeQuery<Row>(query)
    for (let start = 0; start < rows.length; start += chunkSize) {
      yield { rows: rows.slice(start, start + chunkSize) }
    }
  }

  close(): void {
    this.#connection?.close()
  }

  #prepare(sql: string): Database.Statement {
    this.#connection ??= openReader(this.#path)
    this.#prepareCached ??= cacheStatements(this.#connection)
    return this.#prepareCached(sql)
  }
}
