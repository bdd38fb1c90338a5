import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** The table of {@link kyselyTrafficStore}, for your own queries. A type, because `$extendTables` accepts no interface. */
export type TrafficTables = {
  traffic_counts: TrafficCountsTable
}

/** The number of requests per minute, provider, outcome and reason. */
export interface TrafficCountsTable {
  /** The start of the minute, in milliseconds since the epoch. */
  minute: BigintColumn
  provider: string
  outcome: 'accepted' | 'duplicate' | 'ignored' | 'quarantined' | 'refused'
  /** Empty for accepted deliveries and duplicates. */
  reason: string
  count: BigintColumn
}

/**
 * Creates the table of traffic counts, on SQLite and PostgreSQL.
 *
 * @example
 * ```ts
 * import { trafficMigration } from '@sallyport/sql/traffic'
 * import { openPostgres } from '@sallyport/sql/postgres'
 *
 * const database = await openPostgres({ url: process.env.DATABASE_URL ?? '' })
 * await database.migrate({ '0001-traffic': trafficMigration }, { table: 'my_migrations' })
 * ```
 */
export const trafficMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('traffic_counts')
      .addColumn('minute', 'bigint', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('traffic_counts_pk', ['minute', 'provider', 'outcome', 'reason'])
      .execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('traffic_counts').execute()
  },
}
