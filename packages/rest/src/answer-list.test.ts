import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answerList } from './answer-list.ts'
import { createCursorCodec } from './cursor.ts'
import { defineListQuery } from './define-list-query.ts'
import { createRouteGroup } from './route-group.ts'

const route = createRouteGroup()

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const definition = defineListQuery({ sortable: ['title'], searchable: 'title', fields: ['id', 'title'] })
const books = ['Emma', 'Dracula', 'Beloved'].map((title, index) => ({ id: index, title, stock: 7 }))
const answer = (query: string, options = {}) =>
  answerList(
    definition.parse(query, { cursors }),
    { address: { url: '/books', query }, cursors },
    books,
    options,
  )

describe('a list of an array', () => {
  it('has the page, the total and the links of an offset page', async () => {
    const { status, headers, body } = await answer('page=2&limit=2&sort=title')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [{ id: 0, title: 'Emma', stock: 7 }],
      meta: { page: 2, limit: 2, total: 3, totalPages: 2 },
    })
    expect(headers.Link).toContain('</books?page=1&limit=2&sort=title>; rel="prev"')
  })

  it('continues after the cursor of a cursor page', async () => {
    const first = await answer('cursor=&limit=2')
    expect(first.headers.Link).toContain('rel="next"')
    const { nextCursor } = first.body.meta as { readonly nextCursor: string }
    const { body } = await answer(`cursor=${nextCursor}&limit=2`)
    expect(body).toMatchObject({ data: [{ title: 'Beloved' }], meta: { hasMore: false } })
  })

  it('has the requested fields of the mapped rows', async () => {
    const map = ({ id, title }: (typeof books)[0]) => ({ id: `book-${id}`, title: title.toUpperCase() })
    const { body } = await answer('page=1&fields=id&search=emma', { map })
    expect(body.data).toEqual([{ id: 'book-0' }])
  })

  it('has the declared form', async () => {
    expect(await answer('page=1&limit=1', { form: 'bare' })).toMatchObject({ body: [{ title: 'Emma' }] })
  })

  it('has no links to pages over maxOffset', async () => {
    const { headers } = await answer('page=1&limit=1', { maxOffset: 1 })
    expect(headers.Link).toBe('</books?page=1&limit=1>; rel="first"')
  })
})

it('rejects an offset page without a total', async () => {
  const context = { address: { url: '/', query: '' } }
  const query = definition.parse('page=1', { cursors })
  await expect(answerList(query, context, () => ({ rows: books }))).rejects.toThrow('needs the total')
})

it('rejects a cursor page of an API without cursors', async () => {
  const context = { address: { url: '/', query: '' } }
  const query = definition.parse('cursor=', { cursors })
  await expect(answerList(query, context, books)).rejects.toThrow('needs cursors')
})

const item = z.object({ id: z.number(), title: z.string() })
const responses = { 200: { description: 'x', list: item } }
const context = { address: { url: '/', query: '' }, cursors }
const show = ({ id, title }: (typeof books)[0]) => ({ id, title })

it('has the result type of a list route', () => {
  const plain = defineListQuery({ sortable: ['title'] })
  const full = { operationId: 'x', query: plain, responses }
  route.get('/x', full, ({ query }) => answerList(query, context, books, { map: show }))
  route.get('/x', full, ({ query }) => answerList(query, context, books.map(show)))
  route.get('/x', full, ({ query }) =>
    answerList(query, context, async () => ({ rows: books.map(show), total: 3 })),
  )
  // @ts-expect-error an undeclared field
  route.get('/x', full, ({ query }) => answerList(query, context, books))

  const picked = { operationId: 'x', query: definition, responses }
  route.get('/x', picked, ({ query }) => answerList(query, context, books, { map: show }))
  // @ts-expect-error an undeclared field
  route.get('/x', picked, ({ query }) => answerList(query, context, books))

  const bare = {
    operationId: 'x',
    query: plain,
    responses: { 200: { description: 'x', list: item, form: 'bare' } },
  } as const
  route.get('/x', bare, ({ query }) => answerList(query, context, books, { map: show, form: 'bare' }))
  // @ts-expect-error another form than declared
  route.get('/x', bare, ({ query }) => answerList(query, context, books, { map: show }))
})
