import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './column-types.ts'

/** Deliveries, events, idempotency keys and notifications. */
export function inboxMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('deliveries')
        .addColumn('sequence', types.sequence.type, types.sequence.build)
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('provider', 'text', (column) => column.notNull())
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .addColumn('headers', 'text', (column) => column.notNull())
        .addColumn('body_bytes', 'bigint', (column) => column.notNull())
        .addColumn('eventless', 'text')
        .addColumn('quarantine_reason', 'text')
        .addColumn('erased_at', 'bigint')
        .execute()
      await db.schema
        .createIndex('deliveries_eventless')
        .on('deliveries')
        .columns(['eventless', 'provider', 'received_at', 'sequence'])
        .where(sql<boolean>`eventless is not null`)
        .execute()

      await db.schema
        .createTable('delivery_bodies')
        .addColumn('delivery', types.reference, (column) =>
          column.primaryKey().references('deliveries.sequence').onDelete('cascade'),
        )
        .addColumn('encoding', 'text', (column) => column.notNull())
        .addColumn('bytes', 'integer', (column) => column.notNull())
        .addColumn('body', types.bytes, (column) => column.notNull())
        .execute()
      // Lets a query sum the sizes without reading a body.
      await db.schema
        .createIndex('delivery_bodies_bytes')
        .on('delivery_bodies')
        .columns(['delivery', 'bytes'])
        .execute()

      await db.schema
        .createTable('events')
        .addColumn('sequence', types.sequence.type, types.sequence.build)
        .addColumn('delivery', types.reference, (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('provider', 'text', (column) => column.notNull())
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('ts', 'double precision', (column) => column.notNull())
        .addColumn('data', 'text')
        .addColumn('erased', 'smallint', (column) => column.notNull().defaultTo(0))
        .addColumn('manual', 'smallint', (column) => column.notNull())
        .addColumn('route', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('lease', 'text')
        .addColumn('lease_ends_at', 'bigint')
        .addColumn('published_at', 'bigint')
        .addColumn('published_sequence', 'bigint')
        .addColumn('replay_of', 'bigint')
        .execute()
      // Lists deliveries by the status of their events, and finds the events of a delivery. A publication therefore writes
      // nothing to the delivery, and no foreign key needs another index.
      await db.schema
        .createIndex('events_by_status')
        .on('events')
        .columns(['provider', 'status', 'received_at', 'delivery'])
        .execute()
      // Partial, so that the cost of a claim depends on open work only, and that of a publication on published events.
      await db.schema
        .createIndex('events_due')
        .on('events')
        .column('provider')
        .column(sql`coalesce(lease_ends_at, due_at)`)
        .column('sequence')
        .where(sql<boolean>`status in ('pending', 'queued')`)
        .execute()
      await db.schema
        .createIndex('events_published')
        .unique()
        .on('events')
        .column('published_sequence')
        .where(sql<boolean>`published_sequence is not null`)
        .execute()
      for (const column of ['provider', 'name']) {
        await db.schema
          .createIndex(`events_published_by_${column}`)
          .on('events')
          .columns([column, 'published_sequence'])
          .where(sql<boolean>`published_sequence is not null`)
          .execute()
      }

      await db.schema
        .createTable('idempotency_keys')
        .addColumn('scope', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('event', 'bigint')
        .addColumn('delivery', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('idempotency_keys_pk', ['scope', 'key'])
        .$call(types.clustered)
        .execute()
      await db.schema
        .createIndex('idempotency_keys_created')
        .on('idempotency_keys')
        .column('created_at')
        .execute()

      await db.schema
        .createTable('notifications')
        .addColumn('event', types.reference, (column) =>
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
      await db.schema
        .createIndex('notifications_due')
        .on('notifications')
        .column('provider')
        .column(sql`coalesce(lease_ends_at, due_at)`)
        .column('event')
        .where(sql<boolean>`status = 'pending'`)
        .execute()
      await db.schema
        .createIndex('notifications_dead')
        .on('notifications')
        .column('event')
        .where(sql<boolean>`status = 'dead'`)
        .execute()

      await db.schema
        .createTable('failures')
        .addColumn('event', types.reference, (column) =>
          column.notNull().references('events.sequence').onDelete('cascade'),
        )
        .addColumn('work', 'text', (column) => column.notNull())
        .addColumn('number', 'integer', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('error', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('failures_pk', ['event', 'work', 'number'])
        .$call(types.clustered)
        .execute()

      await db.schema
        .createTable('sequences')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'bigint', (column) => column.notNull())
        .execute()
      await sql`insert into sequences (name, value) values ('published', 0)`.execute(db)
    },
  }
}
