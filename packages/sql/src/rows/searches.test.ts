import { createCursorCodec, defineListQuery } from '@sallyport/rest'
import fc from 'fast-check'
import { PostgresAdapter } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { createAuthor, describeRows } from '../../test/row-tables.ts'
import { createRepository } from './repository.ts'
import { createRowSearch } from './row-search.ts'

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const definition = defineListQuery({ sortable: ['title'], searchable: ['title', 'body'], maxLimit: 100 })
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

describeRows((database) => {
  beforeAll(async () => {
    const { id } = await createAuthor(database())
    const posts = createRepository(database(), 'posts', { noun: 'post' })
    for (const body of [...texts, null]) await posts.insert({ author_id: id, title: '-', body })
  })

  /** The names of the databases' functions, which `createRowSearch` takes. */
  const form = () => (database().getExecutor().adapter instanceof PostgresAdapter ? 'strpos' : 'instr')
  const listing = (limits: { readonly maxRunning: number; readonly maxWaiting?: number }) => {
    const search = createRowSearch({ contains: form(), ...limits })
    return createRepository(database(), 'posts', { noun: 'post', search }).list
  }

  it('find the same rows with a function as with LIKE', async () => {
    const list = listing({ maxRunning: 1 })
    const { list: listByLike } = createRepository(database(), 'posts', { noun: 'post' })
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
