import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from '../migrations/column-types.ts'
import { migrationsFor } from '../migrations/migrations.ts'

/**
 * Stores bodies uncompressed by PostgreSQL, because they are compressed already. A body of up to half a page stays in
 * its row: chunks in a TOAST table, each with an index entry, were most of the cost of a body. Existing bodies are not
 * moved.
 */
const bodyStorageMigration: Migration = {
  async up(db) {
    await sql`alter table delivery_bodies alter column body set storage external,
      set (toast_tuple_target = 4080)`.execute(db)
  },
}

/**
 * Orders subjects by their bytes, so that the index finds a prefix. The default order depends on the locale of the database.
 */
const subjectPrefixMigration: Migration = {
  async up(db) {
    await sql`create index events_by_subject_prefix on events
      (substr(subject, 1, 200) text_pattern_ops, received_at, delivery)
      where published_sequence is not null or status = 'dead'`.execute(db)
    await sql`drop index events_by_subject`.execute(db)
    await sql`alter index events_by_subject_prefix rename to events_by_subject`.execute(db)
  },
}

/**
 * Removes the status from the index of dead letters by kind. PostgreSQL drops a condition that the predicate of an index implies,
 * so that the name was not next to the provider, and each search read all dead letters of the provider.
 */
const deadKindMigration: Migration = {
  async up(db) {
    await sql`create index events_dead_by_name on events (provider, name, received_at, delivery)
      where status = 'dead'`.execute(db)
    await sql`drop index events_dead_by_kind`.execute(db)
    await sql`alter index events_dead_by_name rename to events_dead_by_kind`.execute(db)
  },
}

/**
 * Compresses events with LZ4, where the server was built with it: PostgreSQL's own method took half of the processor time of
 * the database for events of 21 KB. Bodies are compressed already. Existing events are not rewritten.
 */
const eventCompressionMigration: Migration = {
  async up(db) {
    await sql`alter table events alter column data_body set storage external`.execute(db)
    await sql`do $$ begin
      execute 'alter table events alter column data set compression lz4';
      execute 'alter table bus_events alter column event set compression lz4';
      execute 'alter table bus_dead_letters alter column event set compression lz4';
      execute 'alter table queued_events alter column event set compression lz4';
    exception when feature_not_supported or syntax_error then null;
    end $$`.execute(db)
  },
}

/** Bodies are compressed already. */
const busBodyStorageMigration: Migration = {
  async up(db) {
    await sql`alter table bus_events alter column data_body set storage external`.execute(db)
  },
}

const postgresTypes: ColumnTypes = {
  // "by default", not "always": a record takes its sequences first and then stores the rows that refer to them.
  sequence: { type: 'bigint', build: (column) => column.primaryKey().generatedByDefaultAsIdentity() },
  reference: 'bigint',
  bytes: 'bytea',
  textPattern: 'text_pattern_ops',
  firstPart: (column) => `split_part(${column}, ': ', 1)`,
  clustered: (table) => table,
}

/** The tables of the inbox, the embedded bus and the shared queue. */
export const inboxMigrations: Readonly<Record<string, Migration>> = {
  ...migrationsFor(postgresTypes),
  '0005-body-storage': bodyStorageMigration,
  '0011-subject-prefix': subjectPrefixMigration,
  '0013-dead-kind': deadKindMigration,
  '0018-event-compression': eventCompressionMigration,
  '0020-bus-body-storage': busBodyStorageMigration,
}
