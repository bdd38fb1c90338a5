/** What SQLite says is wrong, as it crosses threads. */
export interface SqliteFailure {
  readonly code: string
  readonly message: string
}

/** An error of SQLite, or of the thread that runs it. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  /**
   * SQLite's extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`; `WORKER_DIED` when the thread has ended and
   * nobody knows what became of the statement; `CLOSED` after `close`.
   */
  readonly code: string

  constructor({ code, message }: SqliteFailure, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
