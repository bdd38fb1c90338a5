import type { BigintColumn } from '../bigint-column.ts'

/**
 * What {@link kyselyIdempotencyStore} keeps, for queries of your own. A type, as `$extendTables` wants it, not an
 * interface.
 */
export type IdempotencyTables = {
  idempotency_records: IdempotencyRecordsTable
}

/** Requests that came with an `Idempotency-Key`. */
export interface IdempotencyRecordsTable {
  /** A hash of the key and of what it is good for. In keys, fingerprints and tokens, text is escaped as in ids. */
  key: string
  fingerprint: string
  /** The attempt that holds the key. */
  token: string
  /** JSON of `{status, headers, body}`; null while the request runs. */
  response: string | null
  /** When the lock or the kept response ends, in milliseconds since the epoch. */
  ends_at: BigintColumn
}
