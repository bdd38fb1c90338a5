import BetterSqlite from 'better-sqlite3'
import fc from 'fast-check'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCursorCodec } from './cursor.ts'
import { keysetAfter, getCursorPosition } from './keyset.ts'
import { applyListQuery } from './kysely/index.ts'
import { defineListQuery } from './define-list-query.ts'
import type { ListQuery } from './list-query.ts'
import { cursorPage, getPageCursors, selectRows } from './page.ts'
import { compareRowsBy, type SortKey } from './sort.ts'

interface Item {
  id: string
  a: number
  b: number | null
  c: string | null
}

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const items = defineListQuery({
  sortable: { a: {}, b: { nullable: true, nulls: 'first' }, c: { nullable: true, nulls: 'last' }, id: {} },
  pagination: 'cursor',
})

/** The pages that the walk reads; every store must return the same pages. */
interface Store {
  readonly replace: (rows: readonly Item[]) => void
  readonly insert: (row: Item) => void
  readonly remove: (id: string) => void
  readonly page: (query: ListQuery) => Promise<readonly Item[]>
}

function memoryStore(): Store {
  let rows: readonly Item[] = []
  return {
    replace: (all) => (rows = all),
    insert: (row) => (rows = [...rows, row]),
    remove: (id) => (rows = rows.filter((row) => row.id !== id)),
    page: async (query) => selectRows(rows, query).rows,
  }
}

function sqliteStore(): Store & { readonly close: () => void } {
  const raw = new BetterSqlite(':memory:')
  raw.exec('create table items (id text primary key, a integer not null, b integer, c text)')
  const db = new Kysely<{ items: Item }>({ dialect: new SqliteDialect({ database: raw }) })
  const insert = raw.prepare('insert into items (id, a, b, c) values (@id, @a, @b, @c)')
  return {
    replace: raw.transaction((rows: readonly Item[]) => {
      raw.exec('delete from items')
      for (const row of rows) insert.run(row)
    }),
    insert: (row) => insert.run(row),
    remove: (id) => raw.prepare('delete from items where id = ?').run(id),
    page: (query) => applyListQuery(db.selectFrom('items').selectAll(), query).execute(),
    close: () => raw.close(),
  }
}

// Few values make ties and nulls frequent; astral and BMP characters make the order of strings matter.
const rowValues = fc.record({
  a: fc.integer({ min: -1, max: 1 }),
  b: fc.option(fc.integer({ min: 0, max: 1 })),
  c: fc.option(fc.constantFrom('', 'a', 'B', 'é', '\u{ff5e}', '\u{1f600}')),
})
const ids = fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9]{1,3}$/), { maxLength: 24 })
const getRows = (idsOfRows: readonly string[]) =>
  fc.tuple(...idsOfRows.map((id) => rowValues.map((values): Item => ({ id, ...values }))))
const table = ids.chain(getRows)
const sortText = fc
  .shuffledSubarray(['a', 'b', 'c', 'id'], { minLength: 1 })
  .chain((fields) =>
    fc.tuple(...fields.map((field) => fc.constantFrom(field, `-${field}`))).map((parts) => parts.join(',')),
  )

function pageQuery(sort: string, limit: number, cursor: string): ListQuery {
  return items.parse(`sort=${sort}&limit=${limit}&cursor=${cursor}`, { cursors })
}

/** One page and its neighbors. */
async function readPage(store: Store, sort: string, limit: number, cursor: string) {
  const query = pageQuery(sort, limit, cursor)
  const rows = await store.page(query)
  const body = cursorPage(rows, query, { cursors })
  return { ...body, around: getPageCursors(rows, query, { cursors }) }
}

type Direction = 'forward' | 'backward'

/** Walks a list to its end or start while the store may change between pages. Returns the rows in order. */
async function walk(
  store: Store,
  sort: string,
  limit: number,
  between: (page: number) => void = () => undefined,
  direction: Direction = 'forward',
) {
  const seen: Item[] = []
  let cursor: string | undefined =
    direction === 'forward' ? '' : (await readPage(store, sort, 1, '')).around.last
  for (let page = 0; page < 100; page++) {
    const { data, meta, around } = await readPage(store, sort, limit, cursor)
    if (around.next !== undefined) expect(meta).toEqual({ hasMore: true, nextCursor: around.next })
    else expect(meta.hasMore).toBe(false)
    seen.push(...(direction === 'forward' ? data : data.toReversed()))
    cursor = direction === 'forward' ? around.next : around.prev
    if (cursor === undefined) return seen
    between(page)
  }
  throw new Error('The walk does not end')
}

const sqlite: { store?: ReturnType<typeof sqliteStore> } = {}
beforeAll(() => {
  sqlite.store = sqliteStore()
})
afterAll(() => {
  sqlite.store?.close()
})

describe.each([
  ['in memory', memoryStore],
  ['on SQLite', () => sqlite.store!],
])('paging by cursor %s', (_, open) => {
  it('yields each row once, in the order of a full sort', async () => {
    const store = open()
    await fc.assert(
      fc.asyncProperty(table, sortText, fc.integer({ min: 1, max: 5 }), async (rows, sort, limit) => {
        store.replace(rows)
        const { sort: keys } = pageQuery(sort, limit, '')
        const sorted = rows.toSorted(compareRowsBy(keys))
        expect(await walk(store, sort, limit)).toEqual(sorted)
        expect(await walk(store, sort, limit, undefined, 'backward')).toEqual(sorted.toReversed())
      }),
      { numRuns: 150 },
    )
  })

  it('links to the adjacent pages of each page', async () => {
    const store = open()
    await fc.assert(
      fc.asyncProperty(
        table,
        sortText,
        fc.integer({ min: 1, max: 5 }),
        fc.nat(),
        async (rows, sort, limit, at) => {
          store.replace(rows)
          const { sort: keys } = pageQuery(sort, limit, '')
          const sorted = rows.toSorted(compareRowsBy(keys))
          const { around: start } = await readPage(store, sort, limit, '')
          expect(start.prev).toBeUndefined()
          const last = await readPage(store, sort, limit, start.last)
          expect(last.data).toEqual(sorted.slice(-limit))
          expect([last.around.next, last.meta.hasMore]).toEqual([undefined, false])
          expect(last.around.prev === undefined).toBe(sorted.length <= limit)

          // From the page after any row, forward and back.
          const index = at % Math.max(1, sorted.length)
          const { meta } = await readPage(store, sort, index + 1, '')
          const page = await readPage(store, sort, limit, meta.nextCursor)
          expect(page.data).toEqual(sorted.slice(index + 1, index + 1 + limit))
          expect(page.around.next === undefined).toBe(sorted.length <= index + 1 + limit)
          expect(page.around.prev === undefined).toBe(sorted.length === 0)
          if (page.around.prev === undefined) return
          const before = await readPage(store, sort, limit, page.around.prev)
          const end = page.data.length === 0 ? sorted.length : index + 1
          expect(before.data).toEqual(sorted.slice(Math.max(0, end - limit), end))
          expect(before.around.prev === undefined).toBe(end <= limit)
          expect(before.meta.hasMore).toBe(page.data.length > 0)
          if (before.around.next !== undefined) {
            expect((await readPage(store, sort, limit, before.around.next)).data).toEqual(page.data)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('continues from deleted rows', async () => {
    const store = open()
    const rows = ['x1', 'x2', 'x3'].map((id) => ({ id, a: 0, b: null, c: null }))
    const read = (cursor: string) => readPage(store, 'id', 5, cursor)
    store.replace(rows)
    const { around: first, meta } = await readPage(store, 'id', 1, '')
    const { around: second } = await readPage(store, 'id', 1, meta.nextCursor)
    for (const cursor of ['', first.last, meta.nextCursor, second.prev!]) {
      store.replace([])
      const page = await read(cursor)
      expect(page.data).toEqual([])
      for (const neighbour of [page.around.prev, page.around.next]) {
        if (neighbour === undefined) continue
        const { data, around } = await read(neighbour)
        expect([data, Object.keys(around)]).toEqual([[], ['last']])
      }
      // Later rows continue from the last cursor.
      store.replace(rows)
      expect((await read(page.meta.nextCursor)).data.length).toBeGreaterThan(0)
    }
  })

  it.each<Direction>(['forward', 'backward'])(
    'yields an unchanged row exactly once while other rows change between pages: %s',
    async (direction) => {
      const store = open()
      const change = fc.record({ after: fc.nat({ max: 4 }), remove: fc.nat(), insert: rowValues })
      await fc.assert(
        fc.asyncProperty(
          table,
          sortText,
          fc.integer({ min: 1, max: 4 }),
          fc.array(change, { maxLength: 8 }),
          async (rows, sort, limit, changes) => {
            store.replace(rows)
            const removed = new Set<string>()
            const change = (page: number) => {
              for (const [index, { after, remove, insert }] of changes.entries()) {
                if (after !== page) continue
                const victim = rows[remove % rows.length]
                if (victim) {
                  store.remove(victim.id)
                  removed.add(victim.id)
                }
                store.insert({ id: `new-${index}`, ...insert })
              }
            }
            const seen = await walk(store, sort, limit, change, direction)
            const counts = new Map<string, number>()
            for (const { id } of seen) counts.set(id, (counts.get(id) ?? 0) + 1)
            expect(Math.max(0, ...counts.values())).toBeLessThanOrEqual(1)
            for (const { id } of rows) if (!removed.has(id)) expect(counts.get(id)).toBe(1)
            const { sort: keys } = pageQuery(sort, limit, '')
            const ordered = seen.toSorted(compareRowsBy(keys))
            expect(seen).toEqual(direction === 'forward' ? ordered : ordered.toReversed())
          },
        ),
        { numRuns: 150 },
      )
    },
  )

  it('lets a reader with the last cursor follow a growing list', async () => {
    const store = open()
    store.replace([])
    const empty = await readPage(store, 'id', 2, '')
    expect(empty).toMatchObject({ data: [], meta: { hasMore: false } })

    store.insert({ id: 'x1', a: 0, b: null, c: null })
    const one = await readPage(store, 'id', 2, empty.meta.nextCursor)
    expect(one.data).toMatchObject([{ id: 'x1' }])

    const nothing = await readPage(store, 'id', 2, one.meta.nextCursor)
    expect(nothing).toMatchObject({ data: [], meta: { nextCursor: one.meta.nextCursor } })
    const last = await readPage(store, 'id', 2, nothing.around.last)
    expect(last).toMatchObject({ data: [{ id: 'x1' }], meta: { nextCursor: one.meta.nextCursor } })

    store.insert({ id: 'x2', a: 0, b: null, c: null })
    expect((await readPage(store, 'id', 2, last.meta.nextCursor)).data).toMatchObject([{ id: 'x2' }])
  })
})

describe('keysetAfter', () => {
  const key = (field: string, over: Partial<SortKey> = {}): SortKey => ({
    field,
    direction: 'asc',
    nullable: false,
    nulls: 'last',
    ...over,
  })

  it('is one comparison for one key', () => {
    expect(keysetAfter([key('id', { direction: 'desc' })], ['x'])).toEqual({
      op: 'lt',
      field: 'id',
      value: 'x',
    })
  })

  it('compares keys of one direction as a row value', () => {
    const [a, id] = [key('a'), key('id')]
    const row = { fields: ['a', 'id'], values: [1, 'x'] }
    expect(keysetAfter([a, id], [1, 'x'])).toEqual({ op: 'row-gt', ...row })
    const descending = [a, id].map((one) => ({ ...one, direction: 'desc' as const }))
    expect(keysetAfter(descending, [1, 'x'])).toEqual({ op: 'row-lt', ...row })
  })

  it('bounds keys of mixed directions by the first key, for an index seek', () => {
    expect(keysetAfter([key('a'), key('id', { direction: 'desc' })], [1, 'x'])).toEqual({
      op: 'and',
      of: [
        { op: 'gte', field: 'a', value: 1 },
        {
          op: 'or',
          of: [
            { op: 'gt', field: 'a', value: 1 },
            { op: 'lt', field: 'id', value: 'x' },
          ],
        },
      ],
    })
  })

  it('rejects a position of another length', () => {
    expect(() => keysetAfter([key('a'), key('id')], [1])).toThrow(TypeError)
  })

  it('rejects null under a non-nullable key', () => {
    expect(() => getCursorPosition({ id: null }, [key('id')])).toThrow(TypeError)
    expect(() => getCursorPosition({ id: {} }, [key('id')])).toThrow(TypeError)
    expect(() => getCursorPosition({ id: Number.NaN }, [key('id')])).toThrow(TypeError)
    expect(getCursorPosition({}, [key('id', { nullable: true })])).toEqual([null])
  })
})
