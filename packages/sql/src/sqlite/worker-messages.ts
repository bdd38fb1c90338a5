import type { SqliteFailure } from './errors.ts'

/** What a worker is started with. */
export interface ConnectionOptions {
  readonly path: string
  readonly busyTimeoutMs: number
  /** The identity that the file has to have; by default that of the file which the worker finds. */
  readonly file?: string | undefined
}

export type ToWorker = { readonly id: number; readonly request: unknown } | 'close'

export type FromWorker =
  | { readonly id: number; readonly response: unknown }
  | { readonly id: number; readonly failure: SqliteFailure }
