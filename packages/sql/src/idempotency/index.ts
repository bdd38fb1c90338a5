/**
 * Idempotency records of `@sallyport/rest` on SQLite and PostgreSQL.
 *
 * @module
 */
export { createKyselyIdempotencyStore } from './idempotency-store.ts'
export { idempotencyMigration } from './tables.ts'
export type { IdempotencyTables } from './tables.ts'
