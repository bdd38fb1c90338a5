import type { SqliteFailure } from './errors.ts'

/** What a worker is started with. */
export interface ConnectionOptions {
  readonly path: string
  readonly busyTimeoutMs: number
}

export interface WorkerData extends ConnectionOptions {
  /** In memory of both threads: how many requests the worker has still to answer. */
  readonly owed: Int32Array<SharedArrayBuffer>
}

export type ToWorker = { readonly id: number; readonly request: unknown } | 'close'

export type FromWorker =
  | { readonly id: number; readonly response: unknown }
  | { readonly id: number; readonly failure: SqliteFailure }
