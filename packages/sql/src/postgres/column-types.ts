import type { ColumnTypes } from '../migrations/column-types.ts'

export const postgresTypes: ColumnTypes = {
  // By default, not always: a record takes its numbers first and then stores what refers to them.
  sequence: { type: 'bigint', build: (column) => column.primaryKey().generatedByDefaultAsIdentity() },
  reference: 'bigint',
  bytes: 'bytea',
  clustered: (table) => table,
}
