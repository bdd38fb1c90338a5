/**
 * PostgreSQL: the inbox, the embedded bus and the shared queue, a Kysely instance over a bounded pool, and migrations under a lock.
 *
 * @module
 */
export type { BusEvent, BusListener, BusPruneOptions, EmbeddedBus } from '../bus/bus.ts'
export type { CommitLimits } from '../internal/commit-limits.ts'
export type { MigrateOptions } from '../sqlite/migrate.ts'
export type { Once } from '../internal/once.ts'
export type { CommitStep, Prepare } from '../internal/prepare.ts'
export type { DatabaseQueue } from '../queue/queue.ts'
export type {
  BusConsumersTable,
  BusDeadLettersTable,
  BusEventsTable,
  BusSettledTable,
  BusWaitingTable,
  DeliveriesTable,
  DeliveryBodiesTable,
  EventsTable,
  FailuresTable,
  IdempotencyKeysTable,
  InboxTables,
  LanesTable,
  NotificationsTable,
  QueueConsumersTable,
  QueuedEventsTable,
  SequencesTable,
} from '../internal/tables.ts'
export type { PostgresBusOptions } from './bus.ts'
export { openPostgres, type PostgresDatabase } from './database.ts'
export type { WebhookStores } from '../stores.ts'
export { PostgresConnectionError } from './errors.ts'
export type { HandlerClient, TransactionOf } from './handler-client.ts'
export type { PostgresInboxOptions } from './inbox.ts'
export type { RunMigrations } from './migrate.ts'
export { migrationSql, type MigrationSql, type MigrationSqlOptions } from './migration-sql.ts'
export type { OwnPoolOptions, PostgresOptions, SharedPoolOptions } from './options.ts'
export type {
  SharedClient,
  SharedPool,
  Statement,
  StatementResult,
  TransactionClient,
} from './shared-pool.ts'
export type { Transactional } from './transactional.ts'
export type { InboxTransaction, OpenTransaction, OutgoingEvent } from './within.ts'
