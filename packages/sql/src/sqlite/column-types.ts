import { sql } from 'kysely'
import type { ColumnTypes } from '../migrations/column-types.ts'

export const sqliteTypes: ColumnTypes = {
  // Only a column of exactly this type is the row's own number.
  sequence: { type: 'integer', build: (column) => column.primaryKey().autoIncrement() },
  reference: 'integer',
  bytes: 'blob',
  clustered: (table) => table.modifyEnd(sql`without rowid`),
}
