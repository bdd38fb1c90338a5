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
import { openReader } from './connection.ts'
import { narrow, tooLarge } from './integers.ts'
import { statementsOf } from './statements.ts'

/** Runs a query where it may take its time. */
export type Elsewhere = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/**
 * A dialect that reads on the thread of its caller, which a short query takes less of than a message to another thread.
 *
 * Every query is a read transaction of its own. In WAL mode that begins with all that was committed before, whoever
 * committed it; no writer keeps it waiting, and it keeps no lock behind. Where SQLite cannot answer at once (another
 * process recovers the database, the file cannot be opened), the query goes elsewhere, and so does its error.
 */
export function readsDialect(path: string, elsewhere: Elsewhere): Dialect {
  return {
    createDriver: () => new ReadsDriver(path, elsewhere),
    createAdapter: () => new IndependentAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class IndependentAdapter extends SqliteAdapter {
  // No query of the one connection is ever under way when another begins.
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class ReadsDriver implements Driver {
  readonly #connection: ReadsConnection

  constructor(path: string, elsewhere: Elsewhere) {
    this.#connection = new ReadsConnection(path, elsewhere)
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
  readonly #elsewhere: Elsewhere
  #connection: Database.Database | undefined
  #statementOf: ((sql: string) => Database.Statement) | undefined

  constructor(path: string, elsewhere: Elsewhere) {
    this.#path = path
    this.#elsewhere = elsewhere
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    let rows: unknown[] | undefined
    try {
      const statement = this.#prepare(query.sql)
      if (statement.reader && statement.readonly) rows = statement.all(...query.parameters)
    } catch {
      return (await this.#elsewhere(query)) as QueryResult<Row>
    }
    if (rows === undefined) throw new TypeError('These reads change nothing; use the other connection')
    if (!narrow(rows)) throw tooLarge()
    return { rows: rows as Row[] }
  }

  /** Reads the whole result first, then gives it out in chunks. */
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
    this.#statementOf ??= statementsOf(this.#connection)
    return this.#statementOf(sql)
  }
}
