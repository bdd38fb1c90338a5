import BetterSqlite from 'better-sqlite3'
import fc from 'fast-check'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteDialect,
} from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { answerList } from '../answer-list.ts'
import { createCursorCodec } from '../cursor.ts'
import { defineListQuery } from '../define-list-query.ts'
import { integerFilter, oneOfFilter } from '../filters.ts'
import { matchesPredicate, type Predicate } from '../predicate.ts'
import { applyListQuery, createListLoader, toExpression } from './index.ts'

interface Tables {
  users: { id: string; name: string | null; age: number }
}

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const users = defineListQuery({
  sortable: { created_at: {}, name: { nullable: true, nulls: 'first' } },
  searchable: ['name', 'email'],
  filterable: { status: oneOfFilter(['active']) },
})

describe('the SQL for PostgreSQL', () => {
  const postgres = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const select = postgres.selectFrom('users').select('id')

  it('binds every value of an offset page', () => {
    const query = users.parse(String.raw`page=3&limit=10&search=50%25_\&status=active`, { cursors })
    const { sql, parameters } = applyListQuery(select, query).compile()
    expect(sql).toMatchInlineSnapshot(
      `"select "id" from "users" where ("status" = $1 and (lower("name") like lower($2) escape '\\' or lower("email") like lower($3) escape '\\')) order by "id" asc limit $4 offset $5"`,
    )
    expect(parameters).toEqual(['active', String.raw`%50\%\_\\%`, String.raw`%50\%\_\\%`, 10, 20])
  })

  it('uses the configured function for a search, because LIKE takes the product of both lengths', () => {
    const predicate: Predicate = { op: 'contains', field: 'name', value: String.raw`\50%_` }
    const compiled = (['instr', 'strpos'] as const).map((contains) =>
      select.where(toExpression(predicate, { contains })).compile(),
    )
    expect(compiled.map(({ sql }) => sql)).toEqual([
      'select "id" from "users" where instr(lower("name"), lower($1)) > 0',
      'select "id" from "users" where strpos(lower("name"), lower($1)) > 0',
    ])
    expect(compiled.flatMap(({ parameters }) => parameters)).toEqual([predicate.value, predicate.value])
  })

  it('seeks a cursor page and places nulls', () => {
    const start = users.parse('cursor=&sort=-created_at,name', { cursors })
    if (start.pagination.kind !== 'cursor') throw new Error('not a cursor page')
    const cursor = cursors.encode(
      { at: 'after', position: ['2026-01-01', null, 'x'] },
      start.pagination.binding,
    )
    const query = users.parse(`cursor=${cursor}&sort=-created_at,name&limit=5`, { cursors })
    const columns = { created_at: 'u.created_at' }
    const { sql, parameters } = applyListQuery(select, query, { columns }).compile()
    expect(sql).toMatchInlineSnapshot(
      `"select "id" from "users" where ("u"."created_at" <= $1 and ("u"."created_at" < $2 or "name" is not null or ("name" is null and "id" > $3))) order by "u"."created_at" desc, "name" asc nulls first, "id" asc limit $4"`,
    )
    expect(parameters.at(-1)).toBe(6)
  })

  it('reverses the order and nulls of a page that is read backward', () => {
    const start = users.parse('cursor=&sort=-created_at,name', { cursors })
    if (start.pagination.kind !== 'cursor') throw new Error('not a cursor page')
    const place = { at: 'before', position: ['2026-01-01', 'Ada', 'x'] } as const
    const cursor = cursors.encode(place, start.pagination.binding)
    const query = users.parse(`cursor=${cursor}&sort=-created_at,name`, { cursors })
    expect(applyListQuery(select, query).compile().sql).toMatchInlineSnapshot(
      `"select "id" from "users" where ("created_at" >= $1 and ("created_at" > $2 or ("name" < $3 or "name" is null) or ("name" = $4 and "id" < $5))) order by "created_at" asc, "name" desc nulls last, "id" desc limit $6"`,
    )
  })

  it('replaces an empty IN list, which PostgreSQL cannot parse', () => {
    const { sql } = select.where(toExpression({ op: 'in', field: 'age', values: [] })).compile()
    expect(sql).toBe('select "id" from "users" where 1 = 0')
  })

  it('quotes every column name', () => {
    const predicate: Predicate = { op: 'eq', field: 'a"; drop table users; --', value: 1 }
    const { sql, parameters } = select.where(toExpression(predicate)).compile()
    expect(sql).toContain('"a""; drop table users; --" = $1')
    expect(parameters).toEqual([1])
  })
})

describe('on SQLite', () => {
  const raw = new BetterSqlite(':memory:')
  raw.exec('create table users (id text primary key, name text, age integer not null)')
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: raw }) })
  afterAll(() => db.destroy())

  const rows = [
    { id: '1', name: 'Ada', age: 3 },
    { id: '2', name: '100%', age: 1 },
    { id: '3', name: 'a_b', age: 2 },
    { id: '4', name: String.raw`back\slash`, age: 2 },
    { id: '5', name: null, age: 0 },
    { id: '6', name: '', age: 0 },
    { id: '7', name: "O'Neill", age: 9 },
  ]
  const insert = raw.prepare('insert into users (id, name, age) values (@id, @name, @age)')
  for (const row of rows) insert.run(row)

  const text = fc.oneof(
    fc.constantFrom('%', '_', '\\', 'A', "'", '', 'aD', '0%'),
    fc.string({ maxLength: 3 }),
  )
  const leaf: fc.Arbitrary<Predicate> = fc.oneof(
    fc.record({
      op: fc.constantFrom('eq', 'lt', 'lte', 'gt', 'gte'),
      field: fc.constant('age'),
      value: fc.integer({ min: -1, max: 4 }),
    }),
    fc.record({
      op: fc.constantFrom('eq', 'lt', 'lte', 'gt', 'gte'),
      field: fc.constant('name'),
      value: fc.constantFrom(...rows.flatMap(({ name }) => (name === null ? [] : [name]))),
    }),
    fc.record({ op: fc.constantFrom('null', 'not-null'), field: fc.constant('name') }),
    fc.record({
      op: fc.constantFrom('row-lt', 'row-gt'),
      fields: fc.constant(['age', 'name', 'id']),
      values: fc.tuple(
        fc.integer({ min: -1, max: 4 }),
        fc.constantFrom('', 'Ada', '100%'),
        fc.constantFrom('3', '6'),
      ),
    }),
    fc.record({ op: fc.constant('contains'), field: fc.constant('name'), value: text }),
    fc.record({
      op: fc.constant('in'),
      field: fc.constant('age'),
      values: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
    }),
  )
  const { predicate } = fc.letrec<{ predicate: Predicate }>((tie) => ({
    predicate: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({ op: fc.constantFrom('and', 'or'), of: fc.array(tie('predicate'), { maxLength: 3 }) }),
    ),
  }))

  it('a predicate matches the same rows as in memory', async () => {
    await fc.assert(
      fc.asyncProperty(predicate, fc.constantFrom('like', 'instr'), async (condition, contains) => {
        const found = await db
          .selectFrom('users')
          .selectAll()
          .where(toExpression(condition, { contains }))
          .orderBy('id')
          .execute()
        expect(found).toEqual(rows.filter((row) => matchesPredicate(condition, row)))
      }),
      { numRuns: 500 },
    )
  })

  it('values can be converted for the driver', async () => {
    const condition: Predicate = { op: 'eq', field: 'age', value: new Date(3) }
    const where = toExpression(condition, {
      toParameter: (value) => (value instanceof Date ? value.getTime() : value),
    })
    expect(await db.selectFrom('users').select('id').where(where).execute()).toEqual([{ id: '1' }])
  })
})

describe('a list loader on SQLite', async () => {
  const statements: string[] = []
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new BetterSqlite(':memory:') }),
    log({ query }) {
      statements.push(query.sql)
    },
  })
  afterAll(() => db.destroy())
  await db.schema
    .createTable('users')
    .addColumn('id', 'text')
    .addColumn('name', 'text')
    .addColumn('age', 'integer')
    .execute()
  const rows = ['Ada', 'Grace', null, 'Edsger', 'Barbara'].map((name, age) => ({
    id: String(age),
    name,
    age,
  }))
  await db.insertInto('users').values(rows).execute()
  const definition = defineListQuery({
    sortable: { name: { nullable: true }, age: {} },
    filterable: { age: integerFilter() },
    searchable: 'name',
    fields: ['id', 'name'],
  })
  const load = createListLoader(db.selectFrom('users').selectAll().where('age', '<', 10))
  const answer = (query: string, from: typeof load | typeof rows) =>
    answerList(definition.parse(query, { cursors }), { address: { url: '/users', query }, cursors }, from)

  it.each([
    'page=1&limit=2',
    'page=3&limit=2',
    'page=9&limit=2',
    'limit=2&search=a&sort=-name',
    'age=7',
    'cursor=&limit=2&sort=name',
    'page=2&limit=1&fields=id',
  ])('answers %s as an array does', async (query) => {
    expect(await answer(query, load)).toEqual(await answer(query, rows))
  })

  it('counts only for an offset page that is not the last', async () => {
    for (const [query, expected] of [
      ['page=1&limit=2', 2],
      ['page=1', 1],
      ['cursor=', 1],
    ] as const) {
      statements.length = 0
      await answer(query, load)
      expect(statements).toHaveLength(expected)
    }
  })
})
