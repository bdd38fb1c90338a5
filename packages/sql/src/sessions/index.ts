/**
 * Refresh sessions of `@sallyport/auth` on SQLite and PostgreSQL.
 *
 * @module
 */
export type { BigintColumn } from '../internal/bigint-column.ts'
export { sessionsMigration } from './tables.ts'
export { kyselySessionStore, type KyselySessionStoreOptions } from './session-store.ts'
export type { SessionsTable, SessionTables } from './tables.ts'
