import type { Kysely, RawBuilder } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'

/** A transaction of an inbox that may write. */
export interface WriteTransaction {
  readonly db: Kysely<InboxTables>
  /** The time at its start, in milliseconds since the epoch. */
  readonly at: number
  /**
   * Creates a locking clause, such as `for update of e`. On SQLite the clause is empty, because a transaction that writes
   * locks the whole database. Transactions lock deliveries, keys and events in this order, and events by sequence.
   */
  readonly lock: (clause: string) => RawBuilder<unknown>
}

/** Runs a transaction that is on the disk when the promise resolves; its errors are those of the inbox. */
export type RunTransaction = <T>(run: (transaction: WriteTransaction) => Promise<T>) => Promise<T>

// Engines limit the parameters of a statement.
const portion = 1000

/** Splits values for statements of limited size. */
export function* splitIntoPortions<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < values.length; start += portion) yield values.slice(start, start + portion)
}
