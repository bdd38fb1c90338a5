import type { ColumnType, Generated, Kysely } from 'kysely'

type OptionalTime = ColumnType<number | string | bigint | null, number | null | undefined, number | null>

/** A type, because `$extendTables` accepts no interface. */
export type DestinationTables = {
  destinations: DestinationsTable
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
}

export async function createDestinationTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('destinations')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('paused_at', 'bigint')
    .addColumn('pause_reason', 'text')
    .addColumn('opened_at', 'bigint')
    .addColumn('probe_at', 'bigint')
    .addColumn('next_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
