import type { QueryRequest, QueryResponse } from './query-messages.ts'
import { statementsOf } from './statements.ts'
import { serve } from './worker-server.ts'

serve((connection): ((request: QueryRequest) => QueryResponse) => {
  const statementOf = statementsOf(connection)
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
