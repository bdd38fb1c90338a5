import Database from 'better-sqlite3'
import { isBusy } from './errors.ts'
import type { ConnectionOptions } from './worker-messages.ts'

const maxJournalBytes = 64 * 1024 * 1024
const patience = new Int32Array(new SharedArrayBuffer(4))

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
      Atomics.wait(patience, 0, 0, 5)
    }
  }
}
