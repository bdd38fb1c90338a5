import type Database from 'better-sqlite3'

const maxPrepared = 200

/** Caches the most recently used prepared statements of a connection. Their integers are read as bigint. */
export function statementsOf(connection: Database.Database): (sql: string) => Database.Statement {
  const prepared = new Map<string, Database.Statement>()
  return (sql) => {
    const statement = prepared.get(sql) ?? connection.prepare(sql).safeIntegers()
    prepared.delete(sql)
    prepared.set(sql, statement)
    const [oldest] = prepared.keys()
    if (prepared.size > maxPrepared && oldest !== undefined) prepared.delete(oldest)
    return statement
  }
}
