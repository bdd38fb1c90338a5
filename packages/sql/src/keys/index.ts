/**
 * API keys of `@sallyport/auth` on SQLite and PostgreSQL.
 *
 * @module
 */
export { kyselyApiKeyStore } from './api-key-store.ts'
export { apiKeysMigration } from './tables.ts'
