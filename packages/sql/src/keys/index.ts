/**
 * API keys of `@sallyport/auth` on SQLite and PostgreSQL.
 *
 * @module
 */
export { createKyselyApiKeyStore } from './api-key-store.ts'
export { apiKeysMigration } from './tables.ts'
