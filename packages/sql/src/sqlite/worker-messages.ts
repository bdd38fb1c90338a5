import type { SqliteFailure } from './errors.ts'
import type { DoneCommand } from './settle-done.ts'

/** The data with which a worker starts. */
export interface ConnectionOptions {
  readonly path: string
  readonly busyTimeoutMs: number
  /** The expected identity of the file; by default, the identity that the worker finds. */
  readonly file?: string | undefined
}

export type ToWorker = { readonly id: number; readonly request: unknown } | 'close'

export type FromWorker =
  | { readonly id: number; readonly response: unknown }
  | { readonly id: number; readonly failure: SqliteFailure }

export type AccessMode = 'read only' | 'read write'

export interface StatementRequest {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** The transaction that the statement requires. */
  readonly transaction?: AccessMode
  /** How long the transaction that the statement begins may take, in milliseconds. */
  readonly transactionMs?: number | undefined
}

/** A settlement in the open transaction; its row is the result. */
export interface SettleRequest {
  readonly settle: DoneCommand
}

/** One statement or settlement, or the rollback of a transaction that may already have ended. */
export type QueryRequest = StatementRequest | SettleRequest | 'rollback'

export interface QueryResponse {
  readonly rows: unknown[]
  readonly changes?: number
  readonly insertId?: number | bigint
  /** Set when the rows contain an integer outside the safe range. */
  readonly tooLarge?: true
}
