/**
 * The record of what operators did.
 *
 * @module
 */
export type {
  AuditActor,
  AuditDetail,
  AuditEntry,
  AuditFilter,
  AuditLog,
  AuditPosition,
  AuditQuery,
  AuditRecord,
} from './audit-log.ts'
export { createMemoryAuditLog } from './memory-audit-log.ts'
