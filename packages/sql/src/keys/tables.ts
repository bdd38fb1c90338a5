import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** The table of {@link createKyselyApiKeyStore}, for your own queries. A type, because `$extendTables` accepts no interface. */
export type ApiKeyTables = {
  api_keys: ApiKeysTable
}

/** API keys. Times are in milliseconds since the epoch. */
export interface ApiKeysTable {
  id: string
  name: string
  /** A JSON list. */
  scopes: string
  endpoints: string | null
  owner_id: string
  parent_id: string | null
  secret_hash: string
  created_at: BigintColumn
  expires_at: BigintColumn | null
  last_used_at: BigintColumn | null
}

/**
 * Creates the table of API keys, on SQLite and PostgreSQL.
 */
export const apiKeysMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('endpoints', 'text')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('parent_id', 'text')
      .addColumn('secret_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .execute()
    await db.schema.createIndex('api_keys_created').on('api_keys').columns(['created_at', 'id']).execute()
    await db.schema.createIndex('api_keys_parent').on('api_keys').column('parent_id').execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('api_keys').execute()
  },
}
