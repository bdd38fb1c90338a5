import {
  answerList,
  createCursorCodec,
  defineListQuery,
  type CursorEnvelope,
  listFilter,
} from '@sallyport/rest'
import { openSqlite, createSqliteDialect } from '@sallyport/sql/sqlite'
import { Kysely, sql, type CompiledQuery } from 'kysely'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrations, migrationTable } from '../src/database/migrations/index.ts'
import { createRepository } from '@sallyport/sql/resources'
import type { Tables } from '../src/database/tables.ts'
import { unknownId } from './api.ts'
import { temporaryDirectory } from './server-process.ts'

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const listQuery = defineListQuery({
  sortable: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
  searchable: 'title',
  filterable: { status: listFilter.oneOf(['open']) },
})
const parse = (query: string) => listQuery.parse(query, { cursors })
const position = { id: unknownId, created_at: '2026-01-01T00:00:00.000Z' }
const { body } = await answerList(parse('cursor='), { address: { url: '/', query: '' }, cursors }, [position])
const { nextCursor } = (body as CursorEnvelope<typeof position>).meta

/** The tables and scopes of the list routes. */
const lists = [
  ['users', {}],
  ['posts', {}],
  ['posts', { author_id: unknownId }],
  ['comments', { post_id: unknownId }],
  ['projects', {}],
  ['tasks', { project_id: unknownId }],
] as const

const asked: CompiledQuery[] = []
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let reads: Kysely<Tables>
let db: Kysely<Tables>
beforeAll(async () => {
  directory = await temporaryDirectory()
  const path = join(directory.path, 'test.db')
  const database = await openSqlite({ path })
  await database.migrate(migrations, { table: migrationTable })
  await database.close()
  db = new Kysely<Tables>({ dialect: createSqliteDialect({ path }) })
  // The connection of short reads; records its queries.
  reads = new Kysely<Tables>({
    dialect: createSqliteDialect({ path }),
    log: ({ query }) => {
      asked.push(query)
    },
  })
})
afterAll(async () => {
  await db.destroy()
  await reads.destroy()
  await directory[Symbol.asyncDispose]()
})

async function askedBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  asked.length = 0
  await act()
  const plans = []
  for (const query of [...asked]) {
    const explain = sql<{ detail: string }>`explain query plan ${sql.raw(query.sql)}`.compile(db)
    const { rows } = await db.executeQuery<{ detail: string }>({ ...explain, parameters: query.parameters })
    plans.push(rows.map(({ detail }) => detail).join('; '))
  }
  return plans
}

it.each(lists)(
  'pages %s by %j along an index, without passing over others or sorting',
  async (table, scope) => {
    const { list } = createRepository(db, table, { noun: 'row', reads })
    for (const query of [
      '',
      'sort=created_at',
      'page=5&limit=25',
      'cursor=',
      `cursor=${nextCursor}&limit=25`,
    ]) {
      const [plan, ...others] = await askedBy(() => list(parse(query), scope))
      expect(others).toEqual([])
      expect(plan).toMatch(/^(SCAN|SEARCH) \w+ USING INDEX \w+_created_at( \([^;]*\))?$/)
      if (Object.keys(scope).length > 0) expect(plan).toMatch(/\(\w+_id=\?/)
    }
  },
)

it.each(lists)('leaves long lists of %s by %j to the thread of the database', async (table, scope) => {
  const { list } = createRepository(db, table, { noun: 'row', reads })
  for (const query of [
    'page=7',
    'limit=26',
    'cursor=&limit=26',
    'sort=updated_at',
    'sort=created_at,-id',
    'limit=1&page=102',
  ]) {
    const parsed = query.includes('-id') ? { ...parse(''), sort: mixed() } : parse(query)
    expect(await askedBy(() => list(parsed, scope))).toEqual([])
  }
  if (table === 'posts') {
    expect(await askedBy(() => list(parse('search=a'), scope))).toEqual([])
    expect(await askedBy(() => list(parse('status=open'), scope))).toEqual([])
  }
})

function mixed() {
  const [first, last] = parse('sort=created_at').sort
  if (first === undefined || last === undefined) throw new TypeError('The order of the list has no two keys')
  return [first, { ...last, direction: 'desc' as const }]
}

it('finds rows by a unique index', async () => {
  const unique = /^SEARCH \w+ USING INDEX sqlite_autoindex_\w+ \((id|email)=\?\)$/
  const { find } = createRepository(db, 'users', { noun: 'user', reads })
  const comments = createRepository(db, 'comments', { noun: 'comment', reads })
  const finds = [
    () => find({ id: unknownId }),
    () => find({ email: 'nobody@example.com' }),
    () => comments.find({ id: unknownId, post_id: unknownId }),
    () => comments.find({ post_id: unknownId, id: unknownId }),
  ]
  for (const act of finds) {
    const plans = await askedBy(act)
    expect(plans).toEqual([expect.stringMatching(unique)])
  }
})
