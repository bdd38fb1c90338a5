import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import type { IdempotencyTables } from '../idempotency/tables.ts'
import type { SessionTables } from '../sessions/tables.ts'
import type { InboxTables } from '../sqlite/index.ts'

const kysely = new Kysely<{ users: { id: string } }>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

it('adds each set of tables to those of a Kysely', () => {
  // Those of sessions and of idempotency were interfaces, which `$extendTables` does not take.
  const db = kysely
    .$extendTables<InboxTables>()
    .$extendTables<SessionTables>()
    .$extendTables<IdempotencyTables>()
  const tables = [
    db.selectFrom('users').select('id'),
    db.selectFrom('deliveries').select('id'),
    db.selectFrom('sessions').select('id'),
    db.selectFrom('idempotency_records').select('key'),
  ]
  expect(tables.map((query) => query.compile().sql)).toEqual([
    'select "id" from "users"',
    'select "id" from "deliveries"',
    'select "id" from "sessions"',
    'select "key" from "idempotency_records"',
  ])
})
