/**
 * Inbox, embedded bus and shared queue in a SQLite file, with group commit, and a Kysely dialect for your own tables.
 *
 * @module
 */
export type { BusEvent, BusListener, BusPruneOptions, EmbeddedBus } from '../bus/bus.ts'
export type { CommitLimits } from '../internal/commit-limits.ts'
export type { Once } from '../internal/once.ts'
export type { CommitStep, Prepare } from '../internal/prepare.ts'
export { migrate, type MigrateOptions } from './migrate.ts'
export type { DatabaseQueue } from '../queue/queue.ts'
export type { WebhookStores } from '../stores.ts'
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
export type { SqliteBusOptions } from './bus.ts'
export { openSqlite, sqliteDialect, type SqliteDatabase, type SqliteOptions } from './database.ts'
export { SqliteError, type SqliteFailure } from './errors.ts'
export type { SqliteInboxOptions } from './inbox.ts'
export type { SqliteDialectOptions } from './dialect.ts'
export type { SqliteTransactional } from './transactional.ts'
