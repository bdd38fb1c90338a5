import type { Kysely } from 'kysely'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** A type, because `$extendTables` accepts no interface. */
export type AlertTables = {
  alert_states: AlertStatesTable
}

/** One row: the states of all alerts, and the lease of the process that evaluates them. */
interface AlertStatesTable {
  /** Always 1. */
  id: number
  /** JSON: a list of `AlertState`. */
  states: string
  holder: string | null
  /** Milliseconds since the epoch. */
  lease_ends_at: BigintColumn
}

export async function createAlertTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_states')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('states', 'text', (column) => column.notNull())
    .addColumn('holder', 'text')
    .addColumn('lease_ends_at', 'bigint', (column) => column.notNull())
    .execute()
}
