/**
 * Inbox, embedded bus and shared queue in a SQLite file, with group commit, and a Kysely dialect for your own tables.
 *
 * @module
 */
export type { BodiesOptions, BodyStore } from '../bodies/body-store.ts'
export type { BusEvent, EmbeddedBus } from '../bus/bus.ts'
export type { DatabaseQueue } from '../queue/queue.ts'
export type { InboxTables } from '../internal/tables.ts'
export { openSqlite, createSqliteDialect, type SqliteDatabase } from './database.ts'
export { SqliteError } from './errors.ts'
