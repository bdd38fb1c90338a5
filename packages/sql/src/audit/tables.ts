import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** The table of {@link kyselyAuditLog}, for your own queries. A type, because `$extendTables` accepts no interface. */
export type AuditTables = {
  audit_entries: AuditEntriesTable
}

/** What operators did. Times are in milliseconds since the epoch. */
export interface AuditEntriesTable {
  /** A UUID of version 7. */
  id: string
  actor_id: string
  actor_name: string | null
  action: string
  target: string | null
  /** JSON. */
  detail: string
  created_at: BigintColumn
}

/**
 * Creates the table of audit entries, on SQLite and PostgreSQL.
 *
 * @example
 * ```ts
 * import { auditMigration } from '@sallyport/sql/audit'
 * import { openPostgres } from '@sallyport/sql/postgres'
 *
 * const database = await openPostgres({ url: process.env.DATABASE_URL ?? '' })
 * await database.migrate({ '0001-audit': auditMigration }, { table: 'my_migrations' })
 * ```
 */
export const auditMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit_entries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('actor_id', 'text', (column) => column.notNull())
      .addColumn('actor_name', 'text')
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('target', 'text')
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    for (const column of ['actor_id', 'action', 'target'] as const) {
      await db.schema
        .createIndex(`audit_by_${column}`)
        .on('audit_entries')
        .columns([column, 'created_at', 'id'])
        .execute()
    }
    await db.schema.createIndex('audit_created').on('audit_entries').columns(['created_at', 'id']).execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('audit_entries').execute()
  },
}
