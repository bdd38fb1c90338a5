/**
 * The audit log of `@sallyport/webhooks` on SQLite and PostgreSQL.
 *
 * @module
 */
export type { BigintColumn } from '../internal/bigint-column.ts'
export { kyselyAuditLog, type KyselyAuditLogOptions } from './audit-log.ts'
export { auditMigration } from './tables.ts'
export type { AuditEntriesTable, AuditTables } from './tables.ts'
