import { answerList, createCursorCodec, defineListQuery, type LoadList, listFilter } from '@sallyport/rest'
import { beforeAll, expect, it } from 'vitest'

export interface Book {
  readonly id: string
  readonly title: string | null
  readonly year: number
  readonly added: Date
}

const titles = ['Emma', 'Njal', null, 'Egil', 'emil', null, '100%', 'a_b', String.raw`back\slash`]
const books: readonly Book[] = titles.map((title, index) => ({
  id: String(index),
  title,
  year: index % 3,
  added: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, index >> 1)),
}))
/** Creates the statement that creates an empty table of books. */
export const createTable = (name: string, time: string) =>
  `create table ${name} (id text primary key, title text, year integer not null, added ${time} not null)`
/** Creates the statements that insert the books. */
export const inserts = (name: string, formatTime: (time: Date) => number | string) =>
  books.map(({ id, title, year, added }) => {
    const text = title === null ? 'null' : `'${title}'`
    return `insert into ${name} (id, title, year, added) values ('${id}', ${text}, ${year}, ${formatTime(added)})`
  })
export const createSqliteTable = [
  createTable('books', 'integer'),
  ...inserts('books', (time) => time.getTime()),
].join(';')

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const define = (nulls: 'first' | 'last') =>
  defineListQuery({
    sortable: { title: { nullable: true, nulls }, year: {}, added: {} },
    filterable: { year: listFilter.integer(), addedAfter: listFilter.after('added') },
    searchable: 'title',
    fields: ['id', 'title', 'year'],
  })
const definitions = [define('first'), define('last')] as const

/** Defines the tests that the loader of every store must pass. */
export function testListLoader(open: () => Promise<LoadList<Book>>): void {
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
