import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** The table of {@link kyselyAlertStore}, for your own queries. A type, because `$extendTables` accepts no interface. */
export type AlertTables = {
  alert_states: AlertStatesTable
}

/** One row: the states of all alerts, and the lease of the process that evaluates them. */
export interface AlertStatesTable {
  /** Always 1. */
  id: number
  /** JSON: a list of `AlertState`. */
  states: string
  holder: string | null
  /** Milliseconds since the epoch. */
  lease_ends_at: BigintColumn
}

/**
 * Creates the table of alerts, on SQLite and PostgreSQL.
 *
 * @example
 * ```ts
 * import { alertsMigration } from '@sallyport/sql/alerts'
 * import { openPostgres } from '@sallyport/sql/postgres'
 *
 * const database = await openPostgres({ url: process.env.DATABASE_URL ?? '' })
 * await database.migrate({ '0001-alerts': alertsMigration }, { table: 'my_migrations' })
 * ```
 */
export const alertsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('alert_states')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('states', 'text', (column) => column.notNull())
      .addColumn('holder', 'text')
      .addColumn('lease_ends_at', 'bigint', (column) => column.notNull())
      .execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('alert_states').execute()
  },
}
