/**
 * Idempotency records of `@sallyport/rest` on SQLite and PostgreSQL.
 *
 * @module
 */
export type { BigintColumn } from '../internal/bigint-column.ts'
export {
  kyselyIdempotencyStore,
  type KyselyIdempotencyStore,
  type KyselyIdempotencyStoreOptions,
} from './idempotency-store.ts'
export { idempotencyMigration } from './tables.ts'
export type { IdempotencyRecordsTable, IdempotencyTables } from './tables.ts'
