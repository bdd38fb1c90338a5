/**
 * PostgreSQL: the inbox, the embedded bus and the shared queue, a Kysely instance over a bounded pool, and migrations under a lock.
 *
 * @module
 */
export type { BusEvent, EmbeddedBus } from '../bus/bus.ts'
export type { Once } from '../internal/once.ts'
export type { DatabaseQueue } from '../queue/queue.ts'
export type { InboxTables } from '../internal/tables.ts'
export { openPostgres, type PostgresDatabase } from './database.ts'
export type { WebhookStores } from '../stores.ts'
export { PostgresConnectionError } from './errors.ts'
export type { HandlerClient } from './handler-client.ts'
export { migrationSql, type MigrationSql } from './migration-sql.ts'
export type { OwnPoolOptions, PostgresOptions } from './options.ts'
export type { SharedPool, TransactionClient } from './shared-pool.ts'
export type { Transactional } from './transactional.ts'
export type { InboxTransaction, OpenTransaction, OutgoingEvent } from './within.ts'
