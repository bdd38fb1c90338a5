/**
 * The record of what operators did.
 *
 * @module
 */
export type { AuditDetail, AuditEntry, AuditFilter, AuditLog, AuditRecord } from './audit-log.ts'
