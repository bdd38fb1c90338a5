/** What is needed of a `pg.Pool`, whatever its version: one is passed as it is. */
export interface SharedPool {
  readonly options?: { readonly max?: number | undefined }
  /** How many callers wait for a connection. */
  readonly waitingCount: number
  connect(): Promise<SharedClient>
  on(event: 'connect', listener: (client: SharedClient) => void): unknown
}

/** What is needed of a client of that pool. */
export interface SharedClient extends TransactionClient {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown
  on(event: 'end', listener: () => void): unknown
  release(destroy?: boolean): void
}

/** What is needed of a client that is in a transaction: one of `pg`, or anything that runs a statement on it. */
export interface TransactionClient {
  query(statement: Statement): Promise<StatementResult>
}

/** A statement as `pg` takes it, with parameters `$1`, `$2`, … */
export interface Statement {
  readonly text: string
  /** By which a connection knows it again. */
  readonly name?: string
  readonly values?: unknown[]
  /** Parsers of types, as `pg` takes them. */
  readonly types?: object | undefined
  readonly query_timeout?: number
}

export interface StatementResult {
  readonly rows: unknown[]
  readonly rowCount: number | null
  readonly command: string
}
