import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Replay jobs. Their number is small: finished jobs are deleted after a month. */
export const replayJobsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('replay_jobs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('filter', 'text', (column) => column.notNull())
      .addColumn('as_new', 'smallint', (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addColumn('progress', 'text', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('created_by', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .addColumn('lease', 'text')
      .addColumn('lease_ends_at', 'bigint')
      .execute()
    await db.schema
      .createIndex('replay_jobs_created')
      .on('replay_jobs')
      .columns(['created_at', 'id'])
      .execute()
  },
}
