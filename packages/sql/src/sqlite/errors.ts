/** What SQLite says is wrong, as it crosses threads. */
export interface SqliteFailure {
  readonly code: string
  readonly message: string
}

/** An error of SQLite, or of the thread that runs it. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  /**
   * SQLite's extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`; `SQLITE_ABORT_ROLLBACK` for what is asked of a
   * transaction that was rolled back; `WORKER_DIED` when the thread has ended and nobody knows what became of the
   * statement; `POOL_EXHAUSTED` when the connection was not free in time, or too many waited; `FILE_LOST`
   * when the file was deleted, moved or replaced while it was open; `CLOSED` after `close`.
   */
  readonly code: string

  constructor({ code, message }: SqliteFailure, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const rolledBackCode = 'SQLITE_ABORT_ROLLBACK'

export const rolledBack = (why = 'An error has rolled the transaction back'): SqliteError =>
  new SqliteError({ code: rolledBackCode, message: `${why}: end it, and begin again` })

export const isRolledBack = (error: unknown): boolean => (error as { code?: unknown }).code === rolledBackCode

/** Whether somebody else has the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY')
}
