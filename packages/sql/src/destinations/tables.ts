import type { ColumnType, Generated, Kysely } from 'kysely'
import type { BigintColumn } from '../internal/bigint-column.ts'

type OptionalTime = ColumnType<number | string | bigint | null, number | null | undefined, number | null>

/** A type, because `$extendTables` accepts no interface. */
export type DestinationTables = {
  destinations: DestinationsTable
  destination_counts: DestinationCountsTable
  managed_destinations: ManagedDestinationsTable
}

/** The states of destinations, in milliseconds since the epoch. A destination without a state has no row. */
interface DestinationsTable {
  name: string
  paused_at: OptionalTime
  pause_reason: Generated<string | null>
  opened_at: OptionalTime
  probe_at: OptionalTime
  /** When the next request can be reserved, in thousandths of a millisecond. */
  next_at: ColumnType<number | string | bigint, number | undefined, number>
  /** When a request succeeded last, and its status. */
  success_at: OptionalTime
  success_status: number | null | undefined
}

/** The requests of five minutes, of all processes. */
interface DestinationCountsTable {
  name: string
  /** The start of the five minutes. */
  at: BigintColumn
  attempts: BigintColumn
  failed: BigintColumn
  /** The events that the filter rejected. */
  filtered: BigintColumn
}

/** The destinations that operators create. */
interface ManagedDestinationsTable {
  name: string
  /** The encrypted declaration and secrets. */
  sealed: string
  version: BigintColumn
  created_at: BigintColumn
  updated_at: BigintColumn
}

export async function createDestinationTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('destinations')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('paused_at', 'bigint')
    .addColumn('pause_reason', 'text')
    .addColumn('opened_at', 'bigint')
    .addColumn('probe_at', 'bigint')
    .addColumn('next_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('success_at', 'bigint')
    .addColumn('success_status', 'integer')
    .execute()
  await db.schema
    .createTable('destination_counts')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('failed', 'bigint', (column) => column.notNull())
    .addColumn('filtered', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('destination_counts_key', ['name', 'at'])
    .execute()
  await db.schema
    .createTable('managed_destinations')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
}
