import type Database from 'better-sqlite3'
import type { QueryRequest, QueryResponse } from './query-messages.ts'
import { serve } from './worker-server.ts'

const maxPrepared = 200

serve((connection): ((request: QueryRequest) => QueryResponse) => {
  const statementOf = statementCache(connection)
  return (request) => {
    if (request === 'rollback') {
      // Some errors have ended the transaction already.
      if (connection.inTransaction) connection.exec('rollback')
      return { rows: [] }
    }
    const statement = statementOf(request.sql)
    if (statement.reader) return { rows: statement.all(...request.parameters) }
    const { changes, lastInsertRowid } = statement.run(...request.parameters)
    return { rows: [], changes, insertId: lastInsertRowid }
  }
})

/** Keeps the statements that were used last. */
function statementCache(connection: Database.Database): (sql: string) => Database.Statement {
  const prepared = new Map<string, Database.Statement>()
  return (sql) => {
    const statement = prepared.get(sql) ?? connection.prepare(sql)
    prepared.delete(sql)
    prepared.set(sql, statement)
    const [oldest] = prepared.keys()
    if (prepared.size > maxPrepared && oldest !== undefined) prepared.delete(oldest)
    return statement
  }
}
