/**
 * The traffic counts of `@sallyport/webhooks` on SQLite and PostgreSQL.
 *
 * @module
 */
export type { BigintColumn } from '../internal/bigint-column.ts'
export { trafficMigration } from './tables.ts'
export { kyselyTrafficStore } from './traffic-store.ts'
export type { TrafficCountsTable, TrafficTables } from './tables.ts'
