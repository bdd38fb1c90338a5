import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi, createMemoryIdempotencyStore } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { addRowColumns, type StoredRow } from '../rows/stored-row.ts'
import { createRepository } from '../rows/repository.ts'
import { openSqlite, type SqliteDatabase } from '../sqlite/index.ts'
import { defineResource, ownedRoutes, textField } from './index.ts'

const shelf = defineResource('Shelf', {
  parents: ['owner_id'],
  required: { name: textField({ min: 1, max: 9, example: 'Top' }) },
  nullable: { note: textField({ max: 9, example: 'Dusty' }).nullable() },
  initial: { status: z.enum(['open', 'full']).default('open') },
  sortable: ['name'],
  searchable: 'name',
})
const book = defineResource('Book', {
  parents: ['shelf_id', 'owner_id'],
  required: { title: textField({ min: 1, max: 9, example: 'Ulysses' }) },
  sortable: [],
  searchable: 'title',
})

type Tables = {
  shelves: StoredRow & z.output<typeof shelf.resource>
  books: StoredRow & z.output<typeof book.resource>
}

let folder: string
let database: SqliteDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'owned-'))
  database = await openSqlite({ path: join(folder, 'rows.db') })
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

async function open() {
  const { schema } = database.kysely
  const shelfColumns = ['owner_id', 'name', 'note', 'status'] as const
  let table = schema.createTable('shelves').$call(addRowColumns)
  for (const column of shelfColumns) table = table.addColumn(column, 'text')
  await table.execute()
  let books = schema.createTable('books').$call(addRowColumns)
  for (const column of ['shelf_id', 'owner_id', 'title'] as const) books = books.addColumn(column, 'text')
  await books.execute()

  const db = database.kysely.$extendTables<Tables>()
  const shelves = createRepository(db, 'shelves', { noun: 'shelf' })
  const handle = createFetchHandler(
    createApi({
      secrets: ['x'.repeat(32)],
      idempotency: createMemoryIdempotencyStore(),
      authenticate: ({ header }) => Promise.resolve({ sub: header('x-user') ?? '', role: header('x-role') }),
      routes: [
        ...ownedRoutes({
          ...{ noun: 'shelf', definition: shelf, rows: shelves, owner: 'owner_id' },
          example: { name: 'Top' },
        }),
        ...ownedRoutes({
          ...{ noun: 'book', definition: book, owner: 'owner_id', example: { title: 'Ulysses' } },
          rows: createRepository(db, 'books', { noun: 'book' }),
          parent: { noun: 'shelf', rows: shelves, column: 'shelf_id' },
        }),
      ],
    }),
  )
  return async (user: string, method: string, path: string, json?: unknown, role = 'user') => {
    const headers = { 'x-user': user, 'x-role': role, 'content-type': 'application/json' }
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const response = await handle(new Request(`http://localhost${path}`, { method, headers, ...body }))
    const text = await response.text()
    const { data } = JSON.parse(text || '{}') as { data?: Record<string, unknown> }
    return { status: response.status, data }
  }
}

const ada = '0190a000-0000-7000-8000-000000000001'
const bob = '0190a000-0000-7000-8000-000000000002'

it('makes the creator the owner, with the initial values of the other fields', async () => {
  const call = await open()
  const { status, data } = await call(ada, 'POST', '/shelfs', { name: 'Top' })
  expect([status, data]).toMatchObject([201, { owner_id: ada, name: 'Top', note: null, status: 'open' }])
  expect((await call(bob, 'GET', `/shelfs/${String(data?.['id'])}`)).data).toEqual(data)
})

it('lets the owner and admins change and delete an item', async () => {
  const call = await open()
  const { data } = await call(ada, 'POST', '/shelfs', { name: 'Top', note: 'Dusty', status: 'full' })
  const path = `/shelfs/${String(data?.['id'])}`
  expect((await call(bob, 'PATCH', path, { name: 'Low' })).status).toBe(403)
  expect((await call(bob, 'PATCH', path, { name: 'Low' }, 'admin')).data).toMatchObject({ name: 'Low' })
  // PUT clears a nullable field, and keeps a field with an initial value.
  expect((await call(ada, 'PUT', path, { name: 'Mid' })).data).toMatchObject({ note: null, status: 'full' })
  expect((await call(ada, 'PUT', path, { ...data, owner_id: bob, name: 'Mid' })).status).toBe(400)
  expect((await call(bob, 'DELETE', path)).status).toBe(403)
  expect((await call(ada, 'DELETE', path)).status).toBe(204)
})

it('keeps the items of parents apart', async () => {
  const call = await open()
  const create = async (name: string) => String((await call(ada, 'POST', '/shelfs', { name })).data?.['id'])
  const [top, low] = [await create('Top'), await create('Low')]
  const { data } = await call(bob, 'POST', `/shelfs/${top}/books`, { title: 'Ulysses' })
  expect(data).toMatchObject({ shelf_id: top, owner_id: bob })
  expect((await call(ada, 'GET', `/shelfs/${top}/books`)).data).toEqual([data])
  expect((await call(ada, 'GET', `/shelfs/${low}/books`)).data).toEqual([])
  expect((await call(ada, 'GET', `/shelfs/${low}/books/${String(data?.['id'])}`)).status).toBe(404)
  expect((await call(ada, 'POST', `/shelfs/${bob}/books`, { title: 'Ulysses' })).status).toBe(404)
})
