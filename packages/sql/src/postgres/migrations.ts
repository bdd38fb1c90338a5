import { sql } from 'kysely'
import type { Engine } from '../migrations/engine.ts'
import { migrationsFor } from '../migrations/migrations.ts'

const postgres: Engine = {
  // "by default", not "always": a record takes its sequences first and then stores the rows that refer to them.
  sequence: { type: 'bigint', build: (column) => column.primaryKey().generatedByDefaultAsIdentity() },
  reference: 'bigint',
  bytes: 'bytea',
  eventDestination: sql`text generated always as
    (case when substr(id, 1, 1) = '>' then split_part(substr(id, 2), '/', 1) end) stored`,
  bodyObject: sql`bytea generated always as (case encoding when 'object' then body end) stored`,
  // Finds a prefix. The default order depends on the locale of the database.
  textPattern: 'text_pattern_ops',
  // Without the status: PostgreSQL drops a condition that the predicate of the index implies, and would find no name after
  // the status.
  deadKind: ['provider', 'name', 'received_at', 'delivery'],
  clustered: (table) => table,

  async setStorage(db) {
    // Bodies are compressed already. A body of up to half a page stays in its row: chunks in a TOAST table, each with an
    // index entry, were most of the cost of a body.
    await sql`alter table delivery_bodies alter column body set storage external,
      set (toast_tuple_target = 4080)`.execute(db)
    await sql`alter table events alter column data_body set storage external`.execute(db)
    await sql`alter table bus_events alter column data_body set storage external`.execute(db)
    // LZ4 where the server was built with it: PostgreSQL's own method took half of the processor time of the database for
    // events of 21 KB.
    await sql`do $$ begin
      execute 'alter table events alter column data set compression lz4';
      execute 'alter table bus_events alter column event set compression lz4';
      execute 'alter table bus_dead_letters alter column event set compression lz4';
      execute 'alter table queued_events alter column event set compression lz4';
    exception when feature_not_supported or syntax_error then null;
    end $$`.execute(db)
  },
}

/** The tables of the inbox, the embedded bus and the shared queue. */
export const inboxMigrations = migrationsFor(postgres)
