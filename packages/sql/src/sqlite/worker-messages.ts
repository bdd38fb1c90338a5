import type { SqliteFailure } from './errors.ts'

/** What a worker is started with. */
export interface ConnectionOptions {
  readonly path: string
  readonly busyTimeoutMs: number
}

export type ToWorker = { readonly id: number; readonly request: unknown } | 'close'

export type FromWorker =
  | { readonly id: number; readonly response: unknown }
  | { readonly id: number; readonly failure: SqliteFailure }
