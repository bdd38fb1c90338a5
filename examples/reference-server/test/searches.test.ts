import { createCursorCodec, defineListQuery } from '@sallyport/rest'
import { openPostgres } from '@sallyport/sql/postgres'
import { describeWith } from '@sallyport/test-support/services'
import fc from 'fast-check'
import { PostgresAdapter, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { createRepository } from '../src/database/repository.ts'
import { createSearch } from '../src/database/row-queries.ts'
import { openStorage } from '../src/database/storage.ts'
import { createUsers } from '../src/users/repository.ts'
import { startApi } from './api.ts'
import { describeDatabases } from './databases.ts'
import { temporaryDirectory } from './server-process.ts'

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const definition = defineListQuery({ sortable: ['name'], searchable: ['name', 'description'], maxLimit: 100 })
const parse = (query: string) => definition.parse(query, { cursors })

const texts = [
  'Ada',
  'ADAMANT',
  '100%',
  'a_b',
  String.raw`back\slash`,
  "O'Neill",
  'École',
  'ΟΔΟΣΑ',
  'aab',
  '',
]

describeDatabases((database) => {
  let ownerId = ''
  beforeAll(async () => {
    const owner = {
      email: 'o@example.com',
      name: 'O',
      password_hash: 'x',
      role: 'user',
      status: 'active',
    } as const
    ownerId = (await createUsers(database()).insert(owner)).id
    const projects = createRepository(database(), 'projects', { noun: 'project' })
    for (const description of [...texts, null])
      await projects.insert({ owner_id: ownerId, name: '-', description, status: 'active' })
  })

  /** The names of the databases' functions, as the server takes them. */
  const form = () => (database().getExecutor().adapter instanceof PostgresAdapter ? 'strpos' : 'instr')
  const listing = (limits: { readonly maxRunning: number; readonly maxWaiting?: number }) => {
    const search = createSearch({ contains: form(), ...limits })
    return createRepository(database(), 'projects', { noun: 'project', search }).list
  }

  it('find the same rows with a function as with LIKE', async () => {
    const list = listing({ maxRunning: 1 })
    const { list: listByLike } = createRepository(database(), 'projects', { noun: 'project' })
    const part = fc.oneof(
      fc.constantFrom(
        '',
        '%',
        '_',
        '\\',
        "'",
        'AB',
        'aab',
        'É',
        'é',
        'ΟΔΟΣ',
        'οδος',
        'σ',
        'ς',
        '0%',
        'l\\',
        '-',
      ),
      fc.string({ unit: 'grapheme', maxLength: 2 }).filter((text) => !text.includes('\0')),
    )
    await fc.assert(
      fc.asyncProperty(part, fc.constantFrom('limit=100', 'cursor=&limit=100'), async (text, page) => {
        const query = parse(`${page}&search=${encodeURIComponent(text)}`)
        expect(await list(query)).toEqual(await listByLike(query))
      }),
    )
    expect(await list(parse('search=aDa'))).toMatchObject({ total: 2 })
  })

  it('are rejected when too many wait, without an effect on other lists', async () => {
    const list = listing({ maxRunning: 1, maxWaiting: 1 })
    const searches = [1, 2, 3].map(() => list(parse('search=ada')))
    const refused = expect(searches[2]).rejects.toMatchObject({ code: 'OVERLOADED', status: 503 })
    expect(await list(parse(''))).toMatchObject({ total: texts.length + 1 })
    await refused
    for (const { total } of await Promise.all(searches.slice(0, 2))) expect(total).toBe(2)
  })
})

it('use a function in SQLite, which is faster than LIKE', async () => {
  const directory = await temporaryDirectory()
  const log = { debug: () => undefined, error: () => undefined }
  const storage = await openStorage({ DATA_DIR: directory.path, DATABASE_URL: undefined, MIGRATE: true }, log)
  expect(storage.search.contains).toBe('instr')
  await storage.close()
  await directory[Symbol.asyncDispose]()
})

describeWith('postgres', (postgres) => {
  it('of all lists share the documented limit', async () => {
    const error = { code: 'OVERLOADED', message: 'Too many searches at once; try again' }
    const { url } = postgres()
    const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of the admin' }
    await using api = await startApi({ DATABASE_URL: url, ...admin })
    const { token } = await api.user()
    const get = (path: string) => api.call('GET', path, { token })
    const searches: Promise<unknown>[] = []
    const searchWhileFull = async (path: string) => {
      // Two searches run, 256 wait, and one is rejected.
      const some = Array.from({ length: 259 }, (_, index) => get(`/projects?search=${index}`))
      searches.push(...some)
      await Promise.race(some)
      return get(`${path}?search=a`)
    }
    const database = await openPostgres({ url, idleInTransactionTimeoutMs: 600_000 })
    await database.kysely.transaction().execute(async (transaction) => {
      await sql`lock table projects in access exclusive mode`.execute(transaction)
      for (const path of ['/projects', '/posts', '/users']) {
        // On a machine that is slow enough, those that wait have given up before the last one asks.
        await expect
          .poll(() => searchWhileFull(path), { timeout: 60_000 })
          .toMatchObject({ status: 503, error })
      }
      for (const path of ['/posts', '/users']) expect(await get(path)).toMatchObject({ status: 200 })
    })
    await database.close()
    await Promise.all(searches)
    expect(await get('/projects?search=a')).toMatchObject({ status: 200 })
  })
})
