/** The members of `pg.Pool` that this package uses, in any version of `pg`. */
export interface SharedPool {
  readonly options?: { readonly max?: number | undefined }
  /** The number of callers that wait for a connection. */
  readonly waitingCount: number
  connect(): Promise<SharedClient>
  on(event: 'connect', listener: (client: SharedClient) => void): unknown
}

/** The members of a client of that pool that this package uses. */
export interface SharedClient extends TransactionClient {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown
  on(event: 'end', listener: () => void): unknown
  release(destroy?: boolean): void
}

/** A client in a transaction: one of `pg`, or any object that runs a statement in the transaction. */
export interface TransactionClient {
  query(statement: Statement): Promise<StatementResult>
}

/** A statement in the form of `pg`, with parameters `$1`, `$2`, … */
export interface Statement {
  readonly text: string
  /** The name of a prepared statement. */
  readonly name?: string
  readonly values?: unknown[]
  /** Parsers of types, in the form of `pg`. */
  readonly types?: object | undefined
  readonly query_timeout?: number
}

export interface StatementResult {
  readonly rows: unknown[]
  readonly rowCount: number | null
  readonly command: string
}
