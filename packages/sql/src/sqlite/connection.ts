import Database from 'better-sqlite3'
import { isBusy } from './errors.ts'
import type { ConnectionOptions } from './worker-messages.ts'

const maxJournalBytes = 64 * 1024 * 1024
const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Opens a database with durable commits that several processes can share. */
export function openConnection({ path, busyTimeoutMs }: ConnectionOptions): Database.Database {
  const connection = new Database(path, { timeout: busyTimeoutMs, fileMustExist: true })
  try {
    enableWriteAheadLog(connection, Date.now() + busyTimeoutMs)
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    connection.pragma(`journal_size_limit = ${maxJournalBytes}`)
    // Erased data must disappear from the file. Every change of state rewrites a row, so all freed space is overwritten,
    // not only that of an erasure.
    connection.pragma('secure_delete = ON')
    foldAllCases(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Opens a database in WAL mode for reading only; reads and writes do not wait for each other. */
export function openReader(path: string): Database.Database {
  const connection = new Database(path, { readonly: true, timeout: 0, fileMustExist: true })
  foldAllCases(connection)
  return connection
}

/** SQLite's own `lower` converts ASCII only, so that a search for "é" would not find "É". */
function foldAllCases(connection: Database.Database): void {
  connection.function('lower', { deterministic: true, safeIntegers: true }, (text: unknown) =>
    // Sigma has two lower-case forms that depend on the end of the word, and a search term may be part of a word.
    typeof text === 'string' ? text.toLowerCase().replaceAll('ς', 'σ') : text,
  )
}

// SQLite's busy timeout does not cover the lock for the first switch to WAL, and two processes may start together.
function enableWriteAheadLog(connection: Database.Database, deadline: number): void {
  for (;;) {
    try {
      connection.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      Atomics.wait(sleeper, 0, 0, 5)
    }
  }
}

const maxPrepared = 200

/** Caches the most recently used prepared statements of a connection. Their integers are read as bigint. */
export function cacheStatements(connection: Database.Database): (sql: string) => Database.Statement {
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

/**
 * Converts the bigints of rows to numbers, in place.
 *
 * @returns false for an integer outside the safe range, which would lose digits
 */
export function narrow(rows: unknown[]): boolean {
  for (const row of rows as Record<string, unknown>[]) {
    for (const column in row) {
      const value = row[column]
      if (typeof value !== 'bigint') continue
      const number = Number(value)
      if (!Number.isSafeInteger(number)) return false
      row[column] = number
    }
  }
  return true
}

export const tooLarge = (): RangeError =>
  new RangeError('An integer is too large for a number; cast it to text')
