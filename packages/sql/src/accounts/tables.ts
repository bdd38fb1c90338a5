import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { UserRole } from './roles.ts'
import { addRowColumns, type StoredRow } from '../rows/stored-row.ts'

export interface UserRow extends StoredRow {
  /** In lower case. */
  readonly email: string
  readonly name: string
  /** Empty for a user of an issuer, which no password matches. */
  readonly password_hash: string
  readonly role: UserRole
  readonly status: 'active' | 'suspended'
  /** Labels of the endpoints that the user is limited to; null without a limit. */
  readonly endpoints: string | null
  /** The issuer that the user logs in at; null or undefined for a user with a password. */
  readonly issuer?: string | null | undefined
  /** The id of the user at the issuer. */
  readonly subject?: string | null | undefined
}

export interface InvitationRow extends StoredRow {
  /** The only address that can register, in lower case; null for any address. */
  readonly email: string | null
  /** The role of the user that registers. */
  readonly role: UserRole
  readonly token_hash: string
  readonly created_by: string
  readonly expires_at: string
}

/** The tables of accounts, for your own queries. */
// A type, not an interface: Kysely extends its tables by it.
export type AccountTables = {
  users: UserRow
  invitations: InvitationRow
}

/**
 * Creates the tables of users and invitations, on SQLite and PostgreSQL. Accounts also need the tables of sessions and keys.
 */
export const accountsMigration: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('users')
      .$call(addRowColumns)
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('endpoints', 'text')
      .addColumn('issuer', 'text')
      .addColumn('subject', 'text')
      .execute()
    await schema
      .createIndex('users_issuer')
      .on('users')
      .columns(['issuer', 'subject'])
      .unique()
      .where(sql<boolean>`issuer is not null`)
      .execute()
    await schema
      .createTable('invitations')
      .$call(addRowColumns)
      .addColumn('email', 'text')
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_by', 'text', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute()
    // For the default order of both lists.
    for (const table of ['users', 'invitations'])
      await schema.createIndex(`${table}_created_at`).on(table).columns(['created_at', 'id']).execute()
    for (const column of ['created_by', 'expires_at'])
      await schema.createIndex(`invitations_${column}`).on('invitations').column(column).execute()
  },

  async down({ schema }: Kysely<unknown>) {
    await schema.dropTable('invitations').execute()
    await schema.dropTable('users').execute()
  },
}
