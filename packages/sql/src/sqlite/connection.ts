import Database from 'better-sqlite3'
import { isBusy } from './errors.ts'
import type { ConnectionOptions } from './worker-messages.ts'

const maxJournalBytes = 64 * 1024 * 1024
const patience = new Int32Array(new SharedArrayBuffer(4))

/** Opens a database so that a commit is on the disk before it is told, and two processes share it. */
export function openConnection({ path, busyTimeoutMs }: ConnectionOptions): Database.Database {
  const connection = new Database(path, { timeout: busyTimeoutMs, fileMustExist: true })
  try {
    enableWriteAheadLog(connection, Date.now() + busyTimeoutMs)
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    connection.pragma(`journal_size_limit = ${maxJournalBytes}`)
    // What is erased is to be gone from the file. Rows are written anew with every change of their state, so that all they
    // leave behind has to be overwritten, not only what an erasure deletes.
    connection.pragma('secure_delete = ON')
    foldAllCases(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Opens a database that is in WAL mode for reading alone: it waits for nobody, and nobody for it. */
export function openReader(path: string): Database.Database {
  const connection = new Database(path, { readonly: true, timeout: 0, fileMustExist: true })
  foldAllCases(connection)
  return connection
}

/** SQLite's own `lower` folds ASCII alone, and a search for "é" would not find "É". */
function foldAllCases(connection: Database.Database): void {
  connection.function('lower', { deterministic: true, safeIntegers: true }, (text: unknown) =>
    // A sigma has two lower cases: which of them depends on whether a word ends behind it, and a part of one may.
    typeof text === 'string' ? text.toLowerCase().replaceAll('ς', 'σ') : text,
  )
}

// SQLite does not wait for the lock that the first switch to WAL needs: two processes may start at once.
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
