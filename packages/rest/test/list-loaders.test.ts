import { describeWith } from '@sallyport/test-services'
import BetterSqlite from 'better-sqlite3'
import { getTableColumns } from 'drizzle-orm'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import * as postgresCore from 'drizzle-orm/pg-core'
import * as sqliteCore from 'drizzle-orm/sqlite-core'
import { Kysely, SqliteDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerList, type LoadList } from '../src/answer-list.ts'
import { createCursorCodec } from '../src/cursor.ts'
import { defineListQuery } from '../src/define-list-query.ts'
import { createListLoader as createDrizzleLoader } from '../src/drizzle/index.ts'
import { integerFilter } from '../src/filters.ts'
import { createListLoader as createKyselyLoader } from '../src/kysely/index.ts'
import { createListLoader as createPrismaLoader } from '../src/prisma/index.ts'
import { afterFilter } from '../src/time-filters.ts'
import { openPrisma, type Book } from './prisma/client.ts'

const titles = ['Emma', 'Njal', null, 'Egil', 'emil', null, '100%', 'a_b', String.raw`back\slash`]
const books: readonly Book[] = titles.map((title, index) => ({
  id: String(index),
  title,
  year: index % 3,
  added: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, index >> 1)),
}))
const createTable = (name: string, time: string) =>
  `create table ${name} (id text primary key, title text, year integer not null, added ${time} not null)`
const inserts = (name: string, formatTime: (time: Date) => number | string) =>
  books.map(({ id, title, year, added }) => {
    const text = title === null ? 'null' : `'${title}'`
    return `insert into ${name} (id, title, year, added) values ('${id}', ${text}, ${year}, ${formatTime(added)})`
  })
const createSqliteTable = [
  createTable('books', 'integer'),
  ...inserts('books', (time) => time.getTime()),
].join(';')

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const define = (nulls: 'first' | 'last') =>
  defineListQuery({
    sortable: { title: { nullable: true, nulls }, year: {}, added: {} },
    filterable: { year: integerFilter(), addedAfter: afterFilter('added') },
    searchable: 'title',
    fields: ['id', 'title', 'year'],
  })
const definitions = [define('first'), define('last')] as const

/** Defines the tests that the loader of every store must pass. */
function testListLoader(open: () => Promise<LoadList<Book>>): void {
  let load: LoadList<Book>
  beforeAll(async () => {
    load = await open()
  })
  const answer = (
    definition: (typeof definitions)[number],
    query: string,
    from: typeof load | typeof books,
  ) =>
    answerList(definition.parse(query, { cursors }), { address: { url: '/books', query }, cursors }, from, {
      map: ({ id, title, year }) => ({ id, title, year }),
    })

  it.each([
    'page=1&limit=2',
    'page=3&limit=4',
    'page=9&limit=2',
    'limit=3&sort=-title',
    'limit=3&sort=title,-year',
    'year=1&sort=-year',
    'year=7',
    'search=EM',
    'search=%25',
    'search=_',
    'search=%5C',
    'page=2&limit=1&fields=id',
  ])('answers %s as an array does', async (query) => {
    for (const definition of definitions)
      expect(await answer(definition, query, load)).toEqual(await answer(definition, query, books))
  })

  it('compares times with a filter', async () => {
    const { body } = await answer(definitions[0], 'addedAfter=2026-01-01T00:00:00.002Z&sort=-added', load)
    expect(body.data.map(({ id }) => id)).toEqual(['8', '7', '6'])
  })

  it.each([
    '',
    'sort=added',
    'sort=-year,-added',
    'sort=-year',
    'sort=year,-title',
    'sort=title',
    'sort=-title,year',
    'search=e&sort=-title',
  ])('pages by cursor through %o as an array does', async (sort) => {
    for (const definition of definitions) {
      const rows: unknown[] = []
      for (let cursor = '', hasMore = true; hasMore;) {
        const { body } = await answer(definition, `cursor=${cursor}&limit=2&${sort}`, load)
        if (!('nextCursor' in body.meta)) throw new Error('not a cursor page')
        ;({ nextCursor: cursor, hasMore } = body.meta)
        rows.push(...body.data)
      }
      expect(rows).toEqual((await answer(definition, sort, books)).body.data)
    }
  })
}

describe('the loader of Kysely on SQLite', () => {
  const database = new BetterSqlite(':memory:')
  const db = new Kysely<{ books: Book }>({ dialect: new SqliteDialect({ database }) })
  afterAll(() => db.destroy())
  testListLoader(async () => {
    database.exec(createSqliteTable)
    return await Promise.resolve(
      createKyselyLoader(db.selectFrom('books').selectAll(), {
        toParameter: (value) =>
          typeof value === 'string' && value.startsWith('2026-') ? Date.parse(value) : value,
      }),
    )
  })
})

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
    for (const name of ['books', '"Book"']) {
      await pool.query(createTable(name, 'timestamptz(3)').replaceAll('text', 'text collate "C"'))
      for (const insert of inserts(name, (time) => `'${time.toISOString()}'`)) await pool.query(insert)
    }
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

  describe('the loader of Prisma on PostgreSQL', () => {
    let prisma: ReturnType<typeof openPrisma>
    afterAll(() => prisma.$disconnect())
    testListLoader(async () => {
      prisma = openPrisma(pool, 'public')
      return await Promise.resolve(
        createPrismaLoader({
          find: (page) => prisma.book.findMany(page),
          count: (where) => prisma.book.count({ where }),
        }),
      )
    })
  })
})
