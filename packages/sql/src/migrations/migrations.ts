import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { inboxMigration } from './0001-inbox.ts'
import { deliverySearchMigration } from './0008-delivery-search.ts'
import { replayJobsMigration } from './0010-replay-jobs.ts'
import { busConsumersMigration } from './0014-bus-consumers.ts'
import type { ColumnTypes } from './column-types.ts'

/** The table of applied migrations. */
export const migrationTable = 'sallyport_migrations'

/** Returns the migrations of the package's tables by name. Names never change, and new names sort last. */
export function migrationsFor(types: ColumnTypes): Readonly<Record<string, Migration>> {
  return {
    '0001-inbox': inboxMigration(types),
    '0002-bus': busMigration(types),
    '0003-queue': queueMigration(types),
    '0004-trace': traceMigration,
    // 0005 exists on PostgreSQL only.
    '0006-duplicates': duplicatesMigration,
    '0007-endpoints': endpointsMigration,
    '0008-delivery-search': deliverySearchMigration(types),
    '0010-replay-jobs': replayJobsMigration,
    // 0011 exists on PostgreSQL only.
    '0012-delivery-query': deliveryQueryMigration,
    // 0013 exists on PostgreSQL only.
    '0014-bus-consumers': busConsumersMigration(types),
    '0015-open-subjects': subjectsMigration(types),
    '0016-bus-dead-letters': deadLettersMigration,
    '0017-data-body': dataBodyMigration(types),
    // 0018 exists on PostgreSQL only.
    '0019-bus-data-body': busDataBodyMigration(types),
    // 0020 exists on PostgreSQL only.
  }
}

/** The embedded bus. */
function busMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('bus_events')
        .addColumn('sequence', types.sequence.type, types.sequence.build)
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('published_at', 'bigint', (column) => column.notNull())
        .execute()
    },
  }
}

/** The shared queue. */
function queueMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('queued_events')
        .addColumn('sequence', types.sequence.type, types.sequence.build)
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('lease', 'text')
        .addColumn('lease_ends_at', 'bigint')
        .execute()
      await db.schema
        .createIndex('queued_events_due')
        .on('queued_events')
        .column(sql`coalesce(lease_ends_at, due_at)`)
        .column('sequence')
        .execute()
    },
  }
}

/** The trace context of events. */
const traceMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('events').addColumn('trace', 'text').execute()
  },
}

/** Whether the bus already had the id of an event. */
const duplicatesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('events').addColumn('duplicate', 'smallint').execute()
  },
}

/** The queries of deliveries. */
const deliveryQueryMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').addColumn('query', 'text').execute()
  },
}

/** The data of an event as the bytes of its body. */
function dataBodyMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('events').addColumn('data_body', types.bytes).execute()
    },
  }
}

/** The data of an event on the embedded bus as the bytes of its body. */
function busDataBodyMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('bus_events').addColumn('data_body', types.bytes).execute()
    },
  }
}

/** The dead letters of an event, for its erasure. */
const deadLettersMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('bus_dead_letters_by_id').on('bus_dead_letters').column('id').execute()
  },
}

/** The endpoints of deliveries and events. The indexes are partial: rows without an endpoint cost nothing. */
const endpointsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').addColumn('endpoint', 'text').execute()
    await db.schema.alterTable('events').addColumn('endpoint', 'text').execute()
    await db.schema
      .createIndex('deliveries_by_endpoint')
      .on('deliveries')
      .columns(['endpoint', 'received_at', 'sequence'])
      .where(sql<boolean>`endpoint is not null`)
      .execute()
    await db.schema
      .createIndex('events_published_by_endpoint')
      .on('events')
      .columns(['endpoint', 'published_sequence'])
      .where(sql<boolean>`endpoint is not null and published_sequence is not null`)
      .execute()
  },
}

/** Indexes the subjects of all events, so that a search is fast while a bus is unavailable and many events are pending. */
function subjectsMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql`create index events_by_any_subject on events
        (substr(subject, 1, 200) ${sql.raw(types.textPattern)}, received_at, delivery)`.execute(db)
      await db.schema.dropIndex('events_by_subject').execute()
    },
  }
}
