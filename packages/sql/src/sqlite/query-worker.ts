import type Database from 'better-sqlite3'
import { narrow, cacheStatements } from './connection.ts'
import { rolledBack, SqliteError, transactionTooLong } from './errors.ts'
import { prepareSettleDone } from './settle-done.ts'
import type { QueryRequest, QueryResponse, StatementRequest } from './worker-messages.ts'
import { serve } from './worker-server.ts'

serve((connection, file): ((request: QueryRequest) => QueryResponse) => {
  const prepareCached = cacheStatements(connection)
  const readOrUndo = connection.transaction(read)
  let settle: ReturnType<typeof prepareSettleDone> | undefined
  let expiry: NodeJS.Timeout | undefined
  let expiredMs: number | undefined
  // The caller retries busy statements, so that the thread can serve others in between.
  connection.pragma('busy_timeout = 0')

  return (request) => {
    try {
      return answer(request)
    } finally {
      if (!connection.inTransaction) clearTimeout(expiry)
    }
  }

  function answer(request: QueryRequest): QueryResponse {
    if (request === 'rollback') {
      rollBack()
      return { rows: [] }
    }
    if ('settle' in request) {
      requireTransaction()
      const { settle: command } = request
      return { rows: [file.run(() => (settle ??= prepareSettleDone(connection))(command))] }
    }
    const { sql, parameters, transaction, transactionMs } = request
    // Outside the transaction, the statement would be committed alone.
    if (transaction !== undefined) requireTransaction()
    const statement = prepareCached(sql)
    if (transaction === 'read only' && !statement.readonly) throw readsOnly()
    // A read is harmless, and shows an operator the data of a lost file.
    if (statement.reader && statement.readonly) return readAll(() => read(statement, parameters))
    const response = file.run(() => write(statement, request))
    if (transactionMs !== undefined) expireAfter(transactionMs)
    return response
  }

  /** The timer is on this thread, because a handler can block that of the caller. */
  function expireAfter(transactionMs: number): void {
    expiredMs = undefined
    expiry = setTimeout(() => {
      expiredMs = transactionMs
      rollBack()
    }, transactionMs)
  }

  function rollBack(): void {
    // Some errors have already ended the transaction.
    if (connection.inTransaction) connection.exec('rollback')
  }

  function requireTransaction(): void {
    if (connection.inTransaction) return
    throw expiredMs === undefined ? rolledBack() : transactionTooLong(expiredMs)
  }

  function write(statement: Database.Statement, { sql, parameters }: StatementRequest): QueryResponse {
    if (statement.reader) {
      // Pragmas may count as writes and return rows, but do not work in a transaction.
      const returns = /\breturning\b/i.test(sql)
      return readAll(() => (returns ? readOrUndo(statement, parameters) : read(statement, parameters)))
    }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], changes, insertId: lastInsertRowid }
  }
})

function readAll(run: () => unknown[]): QueryResponse {
  try {
    return { rows: run() }
  } catch (error) {
    if (error === tooLarge) return { rows: [], tooLarge: true }
    throw error
  }
}

const tooLarge = new Error('An integer is too large for a number')

function read(statement: Database.Statement, parameters: readonly unknown[]): unknown[] {
  const rows = statement.all(...parameters)
  if (!narrow(rows)) throw tooLarge
  return rows
}

const readsOnly = () =>
  new SqliteError({
    code: 'SQLITE_READONLY',
    message: 'A transaction with the access mode "read only" cannot write: use a read-write transaction',
  })
