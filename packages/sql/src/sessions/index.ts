/**
 * Refresh sessions of `@sallyport/auth` on SQLite and PostgreSQL.
 *
 * @module
 */
export { sessionsMigration } from './tables.ts'
export { createKyselySessionStore } from './session-store.ts'
export type { SessionTables } from './tables.ts'
