import type { CreateTableBuilder } from 'kysely'

/** The columns that a repository maintains. Times are RFC 3339 in UTC with milliseconds, which sort as text. */
export interface StoredRow {
  readonly id: string
  /** Increases with every change; the source of ETags. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/**
 * Adds the columns of {@link StoredRow} to a table of a migration.
 *
 * @example
 * ```ts
 * import { addRowColumns } from '@sallyport/sql/resources'
 * import type { Kysely } from 'kysely'
 *
 * const createNotes = (db: Kysely<unknown>) =>
 *   db.schema
 *     .createTable('notes')
 *     .$call(addRowColumns)
 *     .addColumn('text', 'text', (column) => column.notNull())
 *     .execute()
 * ```
 */
export function addRowColumns<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
): CreateTableBuilder<Table, Column | keyof StoredRow> {
  return table
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
}
