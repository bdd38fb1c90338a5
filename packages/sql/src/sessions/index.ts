/**
 * Refresh sessions of `@sallyport/auth` on SQLite and PostgreSQL.
 *
 * @module
 */
export { sessionsMigration } from './tables.ts'
export { kyselySessionStore } from './session-store.ts'
export type { SessionTables } from './tables.ts'
