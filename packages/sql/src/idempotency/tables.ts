import type { BigintColumn } from '../internal/bigint-column.ts'

/**
 * The table of {@link kyselyIdempotencyStore}, for your own queries. A type, because `$extendTables` accepts no
 * interface.
 */
export type IdempotencyTables = {
  idempotency_records: IdempotencyRecordsTable
}

/** Requests with an `Idempotency-Key`. */
export interface IdempotencyRecordsTable {
  /** A hash of the key and its scope. Keys, fingerprints and tokens are escaped like ids. */
  key: string
  fingerprint: string
  /** The attempt that owns the key. */
  token: string
  /** JSON of `{status, headers, body}`; null while the request runs. */
  response: string | null
  /** When the lock or the stored response expires, in milliseconds since the epoch. */
  ends_at: BigintColumn
}
