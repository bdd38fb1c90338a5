import type { Kysely } from 'kysely'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** A type, because `$extendTables` accepts no interface. */
export type TrafficTables = {
  traffic_counts: TrafficCountsTable
}

/** The number of requests per minute, provider, outcome and reason. */
interface TrafficCountsTable {
  /** The start of the minute, in milliseconds since the epoch. */
  minute: BigintColumn
  provider: string
  outcome: 'accepted' | 'duplicate' | 'ignored' | 'quarantined' | 'refused'
  /** Empty for accepted deliveries and duplicates. */
  reason: string
  count: BigintColumn
}

export async function createTrafficTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('traffic_counts')
    .addColumn('minute', 'bigint', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_counts_pk', ['minute', 'provider', 'outcome', 'reason'])
    .execute()
}
