import { sql } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineMicro } from '../frame/micro.ts'
import { environmentOf } from './environment.ts'
import { createDatabase } from './postgres.ts'
import { seedUsers } from './seed-users.ts'
import { openUserList, type UserList } from './user-list.ts'

const depth = 1_000_000
const limit = 20

/** The list on a database with more users than are paged through, and cursors that stand deep in it. */
interface DeepList extends Pick<UserList, 'answer'> {
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
  const list = await openUserList({ ...environmentOf(directory), ...settings })
  const close = async () => {
    await list.close()
    await remove()
  }
  try {
    await seedUsers(list.db, depth + 5 * limit)
    // The newest user is the first row of the table then: whoever scans for a newer one would find it by luck.
    await list.db.deleteFrom('users').where('role', '=', 'admin').execute()
    await analyze(list)
    const cursor = await list.cursorAfter(depth, '')
    await requireSamePage(list, cursor)
    const middle = await list.cursorAfter(depth / 2, '')
    return { answer: list.answer, cursor, middle, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws Error unless the cursor and the number of the page lead to the same rows */
async function requireSamePage({ answer }: UserList, cursor: string): Promise<void> {
  const pages = [await answer(byCursor(cursor)), await answer(byNumber)]
  const [one, other] = pages.map(({ data }) => data.map(({ id }) => id).join())
  if (one === '' || one !== other) throw new Error('The cursor does not stand where the page begins')
}

const byCursor = (cursor: string) => `limit=${limit}&cursor=${cursor}`
const byNumber = `limit=${limit}&page=${depth / limit + 1}`

function pageDepth(name: string, engine: string, prepare: () => Promise<DeepList>) {
  const first = 'cursor, first page'
  const deep = 'cursor, at row 1,000,000'
  return defineMicro<DeepList>({
    name,
    what: `A page of ${limit} of 1,000,100 users by \`-created_at\` on ${engine}: the server's own route from query string to body, without HTTP.`,
    base: first,
    ratio: 'time',
    target: { side: deep, atMost: 1.2 },
    prepare,
    release: ({ close }) => close(),
    sides: [
      {
        name: first,
        does: 'An empty cursor.',
        setup:
          ({ answer }) =>
          () =>
            answer(byCursor('')),
      },
      {
        name: 'cursor, at row 500,000',
        does: 'The same in the middle, as far from the first row as from the last.',
        setup:
          ({ answer, middle }) =>
          () =>
            answer(byCursor(middle)),
      },
      {
        name: deep,
        does: 'The cursor of the row before: read, its signature checked, then sought in an index.',
        setup:
          ({ answer, cursor }) =>
          () =>
            answer(byCursor(cursor)),
      },
      {
        name: 'page number, at row 1,000,000',
        does: 'The same rows by `page`: the database passes over all that come before, and counts all.',
        setup:
          ({ answer }) =>
          () =>
            answer(byNumber),
      },
    ],
  })
}

export default [
  pageDepth('page-depth-sqlite', 'SQLite', () => openDeepList({}, () => Promise.resolve())),
  pageDepth('page-depth-postgres', 'PostgreSQL', async () => {
    const { url, drop } = await createDatabase()
    try {
      // A sequential scan otherwise begins where the one before it has ended, and is quick or slow by luck.
      const steady = `${url}?options=-c%20synchronize_seqscans%3Doff`
      // What the server's autovacuum does in its own time.
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
