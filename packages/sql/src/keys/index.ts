/**
 * API keys of `@sallyport/auth` on SQLite and PostgreSQL.
 *
 * @module
 */
export type { BigintColumn } from '../internal/bigint-column.ts'
export { kyselyApiKeyStore, type KyselyApiKeyStoreOptions } from './api-key-store.ts'
export { apiKeysMigration } from './tables.ts'
export type { ApiKeysTable, ApiKeyTables } from './tables.ts'
