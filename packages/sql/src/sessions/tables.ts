import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** The table of {@link createKyselySessionStore}, for your own queries. A type, because `$extendTables` accepts no interface. */
export type SessionTables = {
  sessions: SessionsTable
}

/**
 * Refresh sessions. Times are in milliseconds since the epoch. In ids, a backslash, NUL and lone surrogates are escaped
 * as `\\` and `\uXXXX`.
 */
export interface SessionsTable {
  id: string
  user_id: string
  created_at: BigintColumn
  expires_at: BigintColumn
  /** SHA-256 of the next valid refresh token, in base64url. */
  token_hash: string
  previous_token_hash: string | null
  rotated_at: BigintColumn
  /** When the session was revoked; null for an active session. */
  revoked_at: BigintColumn | null
}

/**
 * Creates the table of sessions, on SQLite and PostgreSQL.
 */
export const sessionsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull())
      .addColumn('previous_token_hash', 'text')
      .addColumn('rotated_at', 'bigint', (column) => column.notNull())
      .addColumn('revoked_at', 'bigint')
      .execute()
    await db.schema
      .createIndex('sessions_of_user')
      .on('sessions')
      .columns(['user_id', 'created_at'])
      .where(sql<boolean>`revoked_at is null`)
      .execute()
    await db.schema.createIndex('sessions_expired').on('sessions').column('expires_at').execute()
    await db.schema
      .createIndex('sessions_revoked')
      .on('sessions')
      .column('revoked_at')
      .where(sql<boolean>`revoked_at is not null`)
      .execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('sessions').execute()
  },
}
