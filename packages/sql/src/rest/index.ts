/**
 * The stores and tables of `@sallyport/auth` and `@sallyport/rest` on SQLite and PostgreSQL.
 *
 * @module
 */
import type { ApiKeyStore, SessionStore } from '@sallyport/auth/store'
import type { IdempotencyStore } from '@sallyport/rest/store'
import type { Kysely, Transaction } from 'kysely'
import { accountsMigration } from '../accounts/tables.ts'
import { createKyselyIdempotencyStore } from '../idempotency/idempotency-store.ts'
import { idempotencyMigration } from '../idempotency/tables.ts'
import { createKyselyApiKeyStore } from '../keys/api-key-store.ts'
import { apiKeysMigration } from '../keys/tables.ts'
import { createKyselySessionStore } from '../sessions/session-store.ts'
import { sessionsMigration } from '../sessions/tables.ts'

/**
 * Creates the stores of API keys, sessions and idempotency records, on any Kysely instance or transaction. Each needs its
 * migration of {@link restMigrations}.
 *
 * The key and its secret are verified by one read. Of concurrent rotations or claims in any number of processes, exactly one
 * succeeds. Locks and stored responses expire by the clock of the database.
 *
 * @param options `reads` has the same tables for short reads
 *
 * @example
 * ```ts
 * import { createSessions } from '@sallyport/auth'
 * import { openPostgres } from '@sallyport/sql/postgres'
 * import { createRestStores, restMigrations } from '@sallyport/sql/rest'
 *
 * const database = await openPostgres({ url: process.env.DATABASE_URL ?? '' })
 * await database.migrate({ '0001-sessions': restMigrations.sessions }, { table: 'my_migrations' })
 * const stores = createRestStores(database.kysely)
 * const sessions = createSessions({ store: stores.sessions, secrets: [process.env.JWT_SECRET ?? ''] })
 * ```
 */
export const createRestStores = <Tables>(
  db: Kysely<Tables> | Transaction<Tables>,
  options: { readonly reads?: Kysely<Tables> } = {},
): {
  readonly apiKeys: ApiKeyStore
  readonly idempotency: IdempotencyStore
  readonly sessions: SessionStore
} => ({
  apiKeys: createKyselyApiKeyStore(db, options),
  idempotency: createKyselyIdempotencyStore(db),
  sessions: createKyselySessionStore(db, options),
})

/**
 * The migrations of the tables of `openAccounts` and {@link createRestStores}. Accounts need `accounts`, `apiKeys` and
 * `sessions`.
 */
export const restMigrations = {
  accounts: accountsMigration,
  apiKeys: apiKeysMigration,
  idempotency: idempotencyMigration,
  sessions: sessionsMigration,
}
