import { sql } from 'kysely'
import type { Engine } from '../migrations/engine.ts'
import { migrationsFor } from '../migrations/migrations.ts'

const sqlite: Engine = {
  // SQLite makes a column the row id only for this exact type.
  sequence: { type: 'integer', build: (column) => column.primaryKey().autoIncrement() },
  reference: 'integer',
  bytes: 'blob',
  eventDestination: sql`text generated always as
    (case when substr(id, 1, 1) = '>' then substr(id, 2, instr(id, '/') - 2) end) virtual`,
  bodyObject: sql`blob generated always as (case encoding when 'object' then body end) virtual`,
  textPattern: '',
  deadKind: ['provider', 'status', 'name', 'received_at', 'delivery'],
  clustered: (table) => table.modifyEnd(sql`without rowid`),
}

/** The tables of the inbox, the embedded bus and the shared queue. */
export const inboxMigrations = migrationsFor(sqlite)
