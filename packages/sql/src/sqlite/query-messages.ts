/** One statement, or the end of a transaction that may have ended. */
export type QueryRequest = { readonly sql: string; readonly parameters: readonly unknown[] } | 'rollback'

export interface QueryResponse {
  readonly rows: unknown[]
  readonly changes?: number
  readonly insertId?: number | bigint
}
