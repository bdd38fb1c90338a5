import type Database from 'better-sqlite3'
import { rolledBack, SqliteError } from './errors.ts'
import { narrow } from './integers.ts'
import type { QueryRequest, QueryResponse, StatementRequest } from './query-messages.ts'
import { statementsOf } from './statements.ts'
import { serve } from './worker-server.ts'

serve((connection, file): ((request: QueryRequest) => QueryResponse) => {
  const statementOf = statementsOf(connection)
  const readOrUndo = connection.transaction(read)
  // Who asks waits for locks, on the other side, so that the thread can serve others meanwhile.
  connection.pragma('busy_timeout = 0')

  return (request) => {
    if (request === 'rollback') {
      // Some errors have ended the transaction already.
      if (connection.inTransaction) connection.exec('rollback')
      return { rows: [] }
    }
    const { sql, parameters, transaction } = request
    // By itself the statement would be committed at once, and stay whatever becomes of the others.
    if (transaction !== undefined && !connection.inTransaction) throw rolledBack()
    const statement = statementOf(sql)
    if (transaction === 'read only' && !statement.readonly) throw readsOnly()
    // A read loses nothing, and shows an operator what a lost file holds.
    if (statement.reader && statement.readonly) return readAll(() => read(statement, parameters))
    return file.run(() => write(statement, request))
  }

  function write(statement: Database.Statement, { sql, parameters }: StatementRequest): QueryResponse {
    if (statement.reader) {
      // Pragmas may count as writing and give rows, but work in no transaction.
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
    message: 'A transaction whose access mode is "read only" changes nothing: begin another one',
  })
