import { sql } from 'kysely'
import type { ColumnTypes } from '../migrations/column-types.ts'

export const sqliteTypes: ColumnTypes = {
  // SQLite makes a column the row id only for this exact type.
  sequence: { type: 'integer', build: (column) => column.primaryKey().autoIncrement() },
  reference: 'integer',
  bytes: 'blob',
  clustered: (table) => table.modifyEnd(sql`without rowid`),
}
