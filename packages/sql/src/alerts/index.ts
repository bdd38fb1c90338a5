/**
 * The alerts of `@sallyport/webhooks` on SQLite and PostgreSQL.
 *
 * @module
 */
export type { BigintColumn } from '../internal/bigint-column.ts'
export { kyselyAlertStore } from './alert-store.ts'
export { alertsMigration, type AlertStatesTable, type AlertTables } from './tables.ts'
