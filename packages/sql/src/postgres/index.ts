/**
 * PostgreSQL: the inbox, the embedded bus and the shared queue, a Kysely instance over a bounded pool, and migrations under a lock.
 *
 * @module
 */
export type { BodiesOptions, BodyStore } from '../bodies/body-store.ts'
export type { BusEvent, EmbeddedBus } from '../bus/bus.ts'
export type { DatabaseQueue } from '../queue/queue.ts'
export type { InboxTables } from '../internal/tables.ts'
export { openPostgres, type PostgresDatabase } from './database.ts'
export { migrationSql, type MigrationSql } from './migration-sql.ts'
export type { Transactional } from './transactional.ts'
export type { InboxTransaction } from './within.ts'
