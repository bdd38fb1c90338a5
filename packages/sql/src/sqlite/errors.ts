/** An error of SQLite, in a form that crosses threads. */
export interface SqliteFailure {
  readonly code: string
  readonly message: string
}

/** An error of SQLite, or of its worker thread. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  /**
   * SQLite's extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`; `SQLITE_ABORT_ROLLBACK` for a statement in a
   * transaction that was rolled back; `TRANSACTION_TOO_LONG` for the transaction of a handler that reached its limit; `WORKER_DIED` when the thread has ended and the outcome of the statement is unknown;
   * `POOL_EXHAUSTED` at the timeout for the connection, or when too many callers wait; `FILE_LOST`
   * when the file was deleted, moved or replaced while it was open; `DATABASE_MISSING` when a write-ahead log has no database;
   * `CLOSED` after `close`.
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

const tooLongCode = 'TRANSACTION_TOO_LONG'

/** The error of a handler that kept the write lock, for which the gateway waits. */
export const transactionTooLong = (limitMs: number): SqliteError =>
  new SqliteError({
    code: tooLongCode,
    message: `The transaction of the handler was rolled back after ${limitMs} ms: do slow work before you return the step, or raise handlerTransactionMs`,
  })

export const isTooLong = (error: unknown): boolean => (error as { code?: unknown }).code === tooLongCode

export const isRolledBack = (error: unknown): boolean => (error as { code?: unknown }).code === rolledBackCode

/** Whether another connection has the lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY')
}
