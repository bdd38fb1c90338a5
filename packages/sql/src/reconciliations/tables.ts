import type { Kysely } from 'kysely'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** A type, because `$extendTables` accepts no interface. */
export type ReconciliationTables = {
  reconciliations: ReconciliationsTable
}

/** One row for each source of reconciliation, with the lease of the process that runs it. */
interface ReconciliationsTable {
  name: string
  /** JSON: a `ReconcileState`. */
  state: string
  /** JSON: the run that an operator asked for. */
  requested: string | null
  /** Milliseconds since the epoch. */
  due_at: BigintColumn
  lease: string | null
  lease_ends_at: BigintColumn
}

export async function createReconciliationTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reconciliations')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('requested', 'text')
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('lease_ends_at', 'bigint', (column) => column.notNull())
    .execute()
}
