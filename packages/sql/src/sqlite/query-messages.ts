export type AccessMode = 'read only' | 'read write'

export interface StatementRequest {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** The transaction that the statement is a part of, without which it is not run. */
  readonly transaction?: AccessMode
}

/** One statement, or the end of a transaction that may have ended. */
export type QueryRequest = StatementRequest | 'rollback'

export interface QueryResponse {
  readonly rows: unknown[]
  readonly changes?: number
  readonly insertId?: number | bigint
  /** There are rows, but with an integer that a number cannot hold. */
  readonly tooLarge?: true
}
