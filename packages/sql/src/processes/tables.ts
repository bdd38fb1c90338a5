import type { Kysely } from 'kysely'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** A type, because `$extendTables` accepts no interface. */
export type ProcessTables = {
  processes: ProcessesTable
}

/** The last heartbeat of each process. */
interface ProcessesTable {
  id: string
  /** Sorted and comma separated. */
  roles: string
  /** JSON: a `ProcessReport`. */
  report: string
  /** Milliseconds since the epoch. */
  seen_at: BigintColumn
  /** The process is dead after this time. */
  alive_until: BigintColumn
}

export async function createProcessTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('processes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('report', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('alive_until', 'bigint', (column) => column.notNull())
    .execute()
}
