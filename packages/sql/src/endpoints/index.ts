/**
 * The endpoints of `@sallyport/webhooks` on SQLite and PostgreSQL.
 *
 * @module
 */
export type { BigintColumn } from '../internal/bigint-column.ts'
export { endpointsMigration } from './tables.ts'
export { kyselyEndpointStore, type KyselyEndpointStoreOptions } from './endpoint-store.ts'
export type { EndpointChangesTable, EndpointsTable, EndpointTables } from './tables.ts'
