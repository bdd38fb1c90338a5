/**
 * The ignored and refused deliveries of `@sallyport/webhooks` on SQLite and PostgreSQL.
 *
 * @module
 */
export type { BigintColumn } from '../internal/bigint-column.ts'
export { unprocessedMigration } from './tables.ts'
export { kyselyUnprocessedStore } from './unprocessed-store.ts'
export type { UnprocessedDeliveriesTable, UnprocessedTables } from './tables.ts'
