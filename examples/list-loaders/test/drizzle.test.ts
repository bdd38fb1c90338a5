import { createSqliteTable, createTable, inserts, testListLoader } from '@sallyport/test-support/lists'
import { describeWith } from '@sallyport/test-support/services'
import BetterSqlite from 'better-sqlite3'
import { getTableColumns } from 'drizzle-orm'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import * as postgresCore from 'drizzle-orm/pg-core'
import * as sqliteCore from 'drizzle-orm/sqlite-core'
import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { createDrizzleLoader } from '../src/drizzle.ts'

describe('the loader of Drizzle on SQLite', () => {
  const database = new BetterSqlite(':memory:')
  afterAll(() => database.close())
  const table = sqliteCore.sqliteTable('books', {
    id: sqliteCore.text().primaryKey(),
    title: sqliteCore.text(),
    year: sqliteCore.integer().notNull(),
    added: sqliteCore.integer({ mode: 'timestamp_ms' }).notNull(),
  })
  testListLoader(async () => {
    database.exec(createSqliteTable)
    const db = drizzleSqlite(database)
    return await Promise.resolve(
      createDrizzleLoader({
        columns: getTableColumns(table),
        find: ({ where, orderBy, limit, offset }) =>
          db
            .select()
            .from(table)
            .where(where)
            .orderBy(...orderBy)
            .limit(limit)
            .offset(offset),
        count: (where) => db.$count(table, where),
      }),
    )
  })
})

describeWith('postgres', (postgres) => {
  let pool: pg.Pool
  // The collation C compares text by code units, as an array does.
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: postgres().url })
    await pool.query(createTable('books', 'timestamptz(3)').replaceAll('text', 'text collate "C"'))
    for (const insert of inserts('books', (time) => `'${time.toISOString()}'`)) await pool.query(insert)
  })
  afterAll(() => pool.end())

  describe('the loader of Drizzle on PostgreSQL', () => {
    const table = postgresCore.pgTable('books', {
      id: postgresCore.text().primaryKey(),
      title: postgresCore.text(),
      year: postgresCore.integer().notNull(),
      added: postgresCore.timestamp({ precision: 3, withTimezone: true }).notNull(),
    })
    testListLoader(async () => {
      const db = drizzlePostgres(pool)
      return await Promise.resolve(
        createDrizzleLoader({
          columns: getTableColumns(table),
          find: ({ where, orderBy, limit, offset }) =>
            db
              .select()
              .from(table)
              .where(where)
              .orderBy(...orderBy)
              .limit(limit)
              .offset(offset),
          count: (where) => db.$count(table, where),
        }),
      )
    })
  })
})
