import type { Kysely } from 'kysely'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** A type, because `$extendTables` accepts no interface. */
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

export async function createAuditTable(db: Kysely<unknown>): Promise<void> {
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
}
