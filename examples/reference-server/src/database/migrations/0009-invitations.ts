import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Invitations to register. */
export const invitations: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('invitations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addColumn('email', 'text')
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_by', 'text', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute()
    for (const columns of [['created_at', 'id'], ['created_by'], ['expires_at']]) {
      await schema.createIndex(`invitations_${columns[0]}`).on('invitations').columns(columns).execute()
    }
  },
}
