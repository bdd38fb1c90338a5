import type { SqliteFailure } from './errors.ts'

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
