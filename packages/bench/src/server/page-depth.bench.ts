import { sql } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineHttp, type RunningSide } from '../frame/http.ts'
import type { LoadRequest } from '../frame/load-job.ts'
import { adminEmail, createEnvironment, logIn, useReference, startReference } from './environment.ts'
import { createDatabase } from './postgres.ts'
import { seedUsers } from './seed-users.ts'
import { openUserList, type UserList } from './user-list.ts'

const depth = 1_000_000
const limit = 20

/** The server on a large database, and cursors of deep positions. */
interface DeepList {
  readonly reference: RunningSide
  readonly token: string
  readonly cursor: string
  readonly middle: string
  readonly close: () => Promise<void>
}

async function openDeepList(
  settings: Readonly<Record<string, string>>,
  analyze: (list: UserList) => Promise<unknown>,
): Promise<DeepList> {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const environment = { ...createEnvironment(directory), ...settings }
    const cursors = await fill(environment, analyze)
    const reference = await startReference(environment)
    const close = async () => {
      await reference.stop()
      await remove()
    }
    try {
      return { reference, token: await logIn(reference, adminEmail), ...cursors, close }
    } catch (error) {
      await reference.stop()
      throw error
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Fills a database and creates cursors of its list. */
async function fill(
  environment: Readonly<Record<string, string>>,
  analyze: (list: UserList) => Promise<unknown>,
): Promise<Pick<DeepList, 'cursor' | 'middle'>> {
  const list = await openUserList(environment)
  try {
    await seedUsers(list.db, depth + 5 * limit)
    await analyze(list)
    const cursor = await list.cursorAfter(depth, '')
    await requireSamePage(list, cursor)
    return { cursor, middle: await list.cursorAfter(depth / 2, '') }
  } finally {
    await list.close()
  }
}

/** @throws Error unless the cursor and the page number select the same rows */
async function requireSamePage({ answer }: UserList, cursor: string): Promise<void> {
  const pages = [await answer(byCursor(cursor)), await answer(byNumber)]
  const [one, other] = pages.map(({ data }) => data.map(({ id }) => id).join())
  if (one === '' || one !== other) throw new Error('The cursor and the page number select different rows')
}

const byCursor = (cursor: string) => `limit=${limit}&cursor=${cursor}`
const byNumber = `limit=${limit}&page=${depth / limit + 1}`

function pageDepth(name: string, engine: string, prepare: () => Promise<DeepList>) {
  const first = 'cursor, first page'
  const deep = 'cursor, at row 1,000,000'
  const side = (title: string, does: string, getQuery: (list: DeepList) => string) => ({
    name: title,
    does,
    start: useReference,
    requests: (list: DeepList) => [createPageRequest(list, getQuery(list))],
  })
  return defineHttp<DeepList>({
    name,
    what: `\`GET /api/v1/users\`: a page of ${limit} of 1,000,101 users by \`-created_at\` on ${engine}, requested sequentially by one client.`,
    base: first,
    ratio: 'time',
    connections: 1,
    target: { side: deep, atMost: 1.2 },
    prepare,
    release: ({ close }) => close(),
    requests: () => [],
    agree: (body) => (body as { data: readonly unknown[] }).data.length,
    sides: [
      side(first, 'An empty cursor.', () => byCursor('')),
      side('cursor, at row 500,000', 'The same in the middle of the list.', ({ middle }) => byCursor(middle)),
      side(deep, 'The cursor of the previous row: decoded, verified, then an index seek.', ({ cursor }) =>
        byCursor(cursor),
      ),
      side(
        'page number, at row 1,000,000',
        'The same rows by `page`: the database skips all previous rows and counts all rows.',
        () => byNumber,
      ),
    ],
  })
}

function createPageRequest({ token }: DeepList, query: string): LoadRequest {
  return { path: `/api/v1/users?${query}`, headers: { authorization: `Bearer ${token}` } }
}

export default [
  pageDepth('page-depth-sqlite', 'SQLite', () => openDeepList({}, () => Promise.resolve())),
  pageDepth('page-depth-postgres', 'PostgreSQL', async () => {
    const { url, drop } = await createDatabase()
    try {
      // Otherwise a sequential scan starts where the previous one ended, which makes its duration random.
      const steady = `${url}?options=-c%20synchronize_seqscans%3Doff`
      // Autovacuum would do this later.
      const list = await openDeepList({ DATABASE_URL: steady }, ({ db }) => sql`analyze users`.execute(db))
      return {
        ...list,
        async close() {
          await list.close()
          await drop()
        },
      }
    } catch (error) {
      await drop()
      throw error
    }
  }),
]
