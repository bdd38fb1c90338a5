import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { BigintColumn } from '../internal/bigint-column.ts'

/**
 * The table of idempotency keys, for your own queries. A type, because `$extendTables` accepts no
 * interface.
 */
export type IdempotencyTables = {
  idempotency_records: IdempotencyRecordsTable
}

/** Requests with an `Idempotency-Key`. */
interface IdempotencyRecordsTable {
  /** A hash of the key and its scope. Keys, fingerprints and tokens are escaped like ids. */
  key: string
  fingerprint: string
  /** The attempt that owns the key. */
  token: string
  /** JSON of `{status, headers, body}`; null while the request runs. */
  response: string | null
  /** When the lock or the stored response expires, in milliseconds since the epoch. */
  ends_at: BigintColumn
}

/**
 * Creates the table of idempotency records, on SQLite and PostgreSQL. The migration of webhooks creates it, too.
 */
export const idempotencyMigration: Migration = {
  up: createIdempotencyTable,

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('idempotency_records').execute()
  },
}

/** Creates the table if it is missing: applications without webhooks migrate it separately. */
export async function createIdempotencyTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_records')
    .ifNotExists()
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('response', 'text')
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('idempotency_records_expired')
    .ifNotExists()
    .on('idempotency_records')
    .column('ends_at')
    .execute()
}
