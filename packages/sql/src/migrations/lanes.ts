import { sql, type Kysely } from 'kysely'

/** The lanes that have open events or are paused. */
export async function createLanes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('lanes')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('ordered', 'smallint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('lease_ends_at', 'bigint')
    .addColumn('paused_at', 'bigint')
    .addColumn('reserved_until', 'bigint')
    .execute()
  await schema
    .createIndex('lanes_due')
    .on('lanes')
    .column(sql`coalesce(lease_ends_at, due_at)`)
    .where(sql<boolean>`paused_at is null`)
    .execute()
  await schema
    .createIndex('events_by_lane')
    .on('events')
    .columns(['lane', 'lane_place', 'sequence'])
    .where(sql<boolean>`lane is not null and status = 'pending'`)
    .execute()
}
