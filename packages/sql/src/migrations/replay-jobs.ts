import type { Kysely } from 'kysely'

/** Replay jobs. Their number is small: finished jobs are deleted after a month. */
export async function createReplayJobs({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('replay_jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('filter', 'text', (column) => column.notNull())
    .addColumn('as_new', 'smallint', (column) => column.notNull())
    .addColumn('reprocess', 'smallint', (column) => column.notNull())
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
  await schema.createIndex('replay_jobs_created').on('replay_jobs').columns(['created_at', 'id']).execute()
}
