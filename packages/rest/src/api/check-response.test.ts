import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { answerList } from '../answer-list.ts'
import type { AnyRouteResult, RouteBinding } from '../route-binding.ts'
import { defineListQuery } from '../define-list-query.ts'
import { checkRoute } from '../check-route.ts'
import { createFetchHandler } from '../fetch/index.ts'
import { requireCurrent } from '../require-resource.ts'
import { createRouteGroup } from '../route-group.ts'
import type { AnyRoute } from '../route.ts'
import type { ApiContext } from './api-context.ts'
import { createApi } from './api.ts'

const Author = z.object({ name: z.string() })
const Book = z.object({ id: z.string(), title: z.string().max(5), author: Author.optional() })
const base = { method: 'GET', path: '/books', operationId: 'getBooks', access: 'public' } as const
const one = checkRoute({ ...base, responses: { 200: { data: Book } } })
const plain = checkRoute({ ...base, responses: { 200: { body: z.array(Book) } } })
const list = checkRoute({
  ...base,
  query: defineListQuery({ sortable: ['id'], fields: ['id', 'author'], pagination: 'offset' }),
  responses: { 200: { list: Book } },
})

/** Binds a handler without the check of its type. */
const bind = (
  route: AnyRoute,
  answer: (request: never, context: ApiContext) => AnyRouteResult,
): RouteBinding => ({
  route,
  handler: async (request, context) => await Promise.resolve(answer(request as never, context)),
})

async function send(binding: RouteBinding, mode: 'trust' | 'check' | 'strip' | undefined, query = '') {
  const errors: unknown[] = []
  const api = createApi({
    routes: [binding],
    ...(mode && { responseSchemas: mode }),
    onError: (error) => errors.push(error),
  })
  const { status, body } = await api.handle({
    method: 'GET',
    path: '/books',
    query,
    mountPath: '',
    header: () => undefined,
    hasBody: false,
    streamBody: () => new ReadableStream(),
    readBody: () => Promise.reject(new Error('The request has no body')),
    clientAddress: undefined,
    requestId: '1',
    signal: undefined,
    raw: undefined,
  })
  return { status, body: JSON.parse(body as string) as unknown, errors: errors.map(String) }
}

const secret = 's3cret'
const leaky = { id: '1', title: 'T', author: { name: 'A', hash: secret }, hash: secret }
const row = { id: '1', title: 'T', author: { name: 'A' } }
const answer = (body: unknown) => () => ({ status: 200, body })
const listing = bind(
  list,
  (request: { query: never }, context) => answerList(request.query, context, [leaky]) as never,
)

describe('a response that is checked', () => {
  it.each([
    [one, { data: { id: '1' } }, 'data.title": REQUIRED'],
    [one, { data: { id: '1', title: secret } }, 'data.title": TOO_LONG'],
    [one, {}, 'data": REQUIRED'],
    [one, { data: leaky }, 'data.author.hash": UNKNOWN'],
    [plain, [row, { id: 1, title: 'T' }], '1.id": WRONG_TYPE'],
    [list, { data: [row, leaky], meta: {} }, 'data.1.author.hash": UNKNOWN'],
  ])('names the operation and the path without values: %#', async (route, body, problem) => {
    const { status, errors } = await send(bind(route, answer(body)), 'check')
    const place = 'getBooks (GET /books): the response 200 does not match its schema at "'
    expect([status, errors]).toEqual([500, [`Error: ${place}${problem}`]])
    expect(errors.join()).not.toContain(secret)
  })

  it('has a declared status', async () => {
    const { status, errors } = await send(
      bind(one, () => ({ status: 202 })),
      'check',
    )
    expect([status, errors]).toEqual([500, ['Error: getBooks (GET /books): the status 202 is not declared']])
  })

  it('has the declared headers', async () => {
    const total = checkRoute({
      ...base,
      responses: {
        200: { data: Book, headers: { 'X-Total': 'x', 'X-Part': { description: 'x', required: false } } },
      },
    })
    const sendTotal = (headers: Record<string, string>) =>
      send(
        bind(total, () => ({ status: 200, headers, body: { data: row } })),
        'check',
      )
    expect(await sendTotal({ 'x-total': '1' })).toMatchObject({ status: 200, errors: [] })
    expect(await sendTotal({ 'X-Part': '1' })).toMatchObject({
      status: 500,
      errors: [expect.stringContaining('the response 200 has no header X-Total')],
    })
  })

  it('has an ETag if it is a stream of a route with etag', async () => {
    const file = checkRoute({ ...base, etag: true, responses: { 200: { mediaType: 'text/plain' } } })
    const stream = bind(file, () => ({ status: 200, body: ReadableStream.from([]) }))
    expect(await send(stream, 'check')).toMatchObject({
      status: 500,
      errors: [expect.stringContaining('the response 200 has no header ETag')],
    })
  })

  it('may have some of the fields if the client selects fields', async () => {
    const rows = bind(
      list,
      (request: { query: never }, context) => answerList(request.query, context, [row]) as never,
    )
    expect(await send(rows, 'check', '?fields=id')).toMatchObject({
      status: 200,
      body: { data: [{ id: '1' }] },
    })
    expect(await send(rows, 'check')).toMatchObject({ status: 200, body: { data: [row] } })
  })

  it('is sent unchecked if it is trusted', async () => {
    expect(await send(bind(one, answer({ data: 7 })), 'trust')).toMatchObject({
      status: 200,
      body: { data: 7 },
    })
  })
})

describe('a response that is stripped', () => {
  it.each([
    [one, { data: leaky, hash: secret }, { data: row }],
    [plain, [leaky], [row]],
    [list, { data: [leaky], meta: { page: 1 }, hash: secret }, { data: [row], meta: { page: 1 } }],
  ])('has no undeclared field: %#', async (route, body, sent) => {
    expect(await send(bind(route, answer(body)), 'strip')).toEqual({ status: 200, body: sent, errors: [] })
  })

  it('has no undeclared field inside of a selected field', async () => {
    const { body } = await send(listing, 'strip', '?fields=author')
    expect(body).toMatchObject({ data: [{ author: { name: 'A' } }] })
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  it('is not validated', async () => {
    expect(await send(bind(one, answer({ data: { title: 7 } })), 'strip')).toMatchObject({
      body: { data: { title: 7 } },
    })
  })

  it('is validated by a schema without JSON Schema', async () => {
    const listed = checkRoute({ ...base, responses: { 200: { data: v.object({ id: v.string() }) } } })
    expect(await send(bind(listed, answer({ data: { id: '1', hash: secret } })), 'strip')).toMatchObject({
      body: { data: { id: '1' } },
    })
    expect(await send(bind(listed, answer({ data: {} })), 'strip')).toMatchObject({ status: 500 })
  })
})

it('is not checked in part if the items of a list have no partial form', async () => {
  const union = checkRoute({
    ...base,
    query: defineListQuery({ sortable: ['id'], fields: ['id'], pagination: 'offset' }),
    responses: { 200: { list: z.union([Book, z.strictObject({ id: z.string() })]) } },
  })
  const rows = bind(
    union,
    (request: { query: never }, context) => answerList(request.query, context, [{ id: 1 }]) as never,
  )
  expect(await send(rows, 'check', '?fields=id')).toMatchObject({ status: 200 })
  expect(await send(rows, 'check')).toMatchObject({ status: 500 })
})

it.each(['PUT', 'DELETE'] as const)('has the ETag that requireCurrent requires of a %s', async (method) => {
  const group = createRouteGroup({ access: 'public', etag: true })
  const handle = createFetchHandler(
    createApi({
      responseSchemas: 'strip',
      routes: [
        bind({ ...one, etag: true }, answer({ data: leaky })),
        group.put('/books', { operationId: 'putBook', data: Book }, (_, context) => {
          requireCurrent(context, leaky)
          return row
        }),
        group.delete('/books', { operationId: 'deleteBook' }, (_, context) => {
          requireCurrent(context, leaky)
        }),
      ],
    }),
  )
  const read = await handle(new Request('http://localhost/books'))
  const change = (etag: string) =>
    handle(new Request('http://localhost/books', { method, headers: { 'if-match': etag } }))
  expect((await change(read.headers.get('etag') ?? '')).ok).toBe(true)
  expect((await change('"old"')).status).toBe(412)
})

describe('responseSchemas is by default', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it.each([
    ['production', 200],
    ['', 200],
    ['development', 500],
    ['test', 500],
  ])('for NODE_ENV=%s: an undeclared field is answered %i', async (environment, status) => {
    vi.stubEnv('NODE_ENV', environment)
    const sent = await send(bind(one, answer({ data: leaky })), undefined)
    expect(sent.status).toBe(status)
    expect(JSON.stringify(sent)).not.toContain(secret)
  })
})
