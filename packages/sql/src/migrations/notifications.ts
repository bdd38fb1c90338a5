import { sql, type Kysely } from 'kysely'
import type { Engine } from './engine.ts'

/** The notifications that failed or have no batch, the batches under a lease, and the failed attempts to publish and to notify. */
export async function createNotifications({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await schema
    .createTable('notifications')
    .addColumn('event', engine.reference, (column) =>
      column.primaryKey().references('events.sequence').onDelete('cascade'),
    )
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('lease_ends_at', 'bigint')
    .execute()
  await schema
    .createIndex('notifications_due')
    .on('notifications')
    .column('provider')
    .column(sql`coalesce(lease_ends_at, due_at)`)
    .column('event')
    .where(sql<boolean>`status = 'pending'`)
    .execute()
  await schema
    .createIndex('notifications_dead')
    .on('notifications')
    .column('event')
    .where(sql<boolean>`status = 'dead'`)
    .execute()

  await schema
    .createTable('notification_batches')
    .addColumn('lease', 'text', (column) => column.primaryKey())
    .addColumn('lease_ends_at', 'bigint', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('first', 'bigint', (column) => column.notNull())
    .addColumn('last', 'bigint', (column) => column.notNull())
    .addColumn('events', 'integer', (column) => column.notNull())
    .execute()

  await schema
    .createTable('failures')
    .addColumn('event', engine.reference, (column) =>
      column.notNull().references('events.sequence').onDelete('cascade'),
    )
    .addColumn('work', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('error', 'text', (column) => column.notNull())
    .addColumn('response', 'text')
    .addPrimaryKeyConstraint('failures_pk', ['event', 'work', 'number'])
    .$call(engine.clustered)
    .execute()
}
