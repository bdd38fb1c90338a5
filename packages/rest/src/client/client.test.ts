import { SallyportError } from '@sallyport/errors'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { z } from 'zod'
import { createApi } from '../api/api.ts'
import { defineListQuery } from '../define-list-query.ts'
import { createFetchHandler } from '../fetch/index.ts'
import { createMemoryIdempotencyStore } from '../memory-idempotency-store.ts'
import { requireCurrent, requireFound } from '../require-resource.ts'
import { createRouteGroup } from '../route-group.ts'
import { createClient } from './client.ts'
import { multipartBody } from '../multipart/index.ts'
import { streamBody } from '../api/request-body.ts'
import { listFilter } from '../list-filter.ts'
import { ClientError } from './client-error.ts'

const NewNote = z.object({ text: z.string().min(1), tags: z.array(z.string()).optional() })
const Note = NewNote.extend({ id: z.string(), at: z.date() }).meta({ id: 'Note' })
type Note = z.infer<typeof Note>

const query = defineListQuery({ sortable: ['id'], filterable: {}, fields: ['id', 'text'] })
const pages = defineListQuery({ sortable: ['id'], pagination: 'offset' })

function createNotes() {
  const notes = new Map<string, Note>()
  const add = (text: string): Note => {
    const note = { id: String(notes.size + 1).padStart(4, '0'), text, at: new Date(0) }
    notes.set(note.id, note)
    return note
  }
  const route = createRouteGroup<{ id: string }>({ idempotencyKey: true, rateLimit: false })
  const api = createApi({
    authenticate: () => ({ id: 'ada' }),
    secrets: ['a secret of at least thirty-two bytes'],
    idempotency: createMemoryIdempotencyStore(),
    routes: [
      route.list('/notes', { operationId: 'listNotes', query, item: Note }, () => [...notes.values()]),
      route.list('/pages', { operationId: 'listPages', query: pages, item: Note }, () => [...notes.values()]),
      route.post('/notes', { operationId: 'createNote', body: NewNote, data: Note }, ({ body }) =>
        add(body.text),
      ),
      route.get('/notes/{id}', { operationId: 'getNote', data: Note, etag: true }, ({ params }) =>
        requireFound(notes.get(params.id)),
      ),
      route.put(
        '/notes/{id}',
        { operationId: 'putNote', body: NewNote, data: Note, etag: true, errors: ['NOTE_LOCKED'] },
        ({ params, body }, context) => {
          const note = requireFound(notes.get(params.id))
          if (note.text === 'locked') throw new SallyportError('CONFLICT', 'The note is locked')
          requireCurrent(context, note)
          return Object.assign(note, body)
        },
      ),
      route.delete('/notes/{id}', { operationId: 'deleteNote' }, ({ params }) => {
        notes.delete(params.id)
      }),
      route.get(
        '/notes.txt',
        { operationId: 'exportNotes', responses: { 200: { mediaType: 'text/plain' } } },
        () => ({ status: 200, body: 'all' }),
      ),
      route.get(
        '/search',
        {
          operationId: 'search',
          query: z.object({ word: z.string(), tag: z.array(z.string()) }),
          data: z.unknown(),
        },
        ({ query }) => query,
      ),
    ],
  })
  return { api, add }
}

type Notes = ReturnType<typeof createNotes>['api']

function open(
  change: (answer: Response, attempt: number) => Response | Promise<Response> = (answer) => answer,
) {
  const { api, add } = createNotes()
  const handle = createFetchHandler(api)
  const requests: Request[] = []
  const delays: number[] = []
  const client = createClient<Notes>({
    baseUrl: 'https://notes.example.com/',
    authorization: () => 'Bearer token',
    sleep: (milliseconds) => {
      delays.push(milliseconds)
      return Promise.resolve()
    },
    fetch: async (request) => {
      requests.push(request.clone())
      return change(await handle(request), requests.length)
    },
  })
  return { client, add, requests, delays }
}

const unavailable = () =>
  Response.json(
    { error: { code: 'SERVICE_UNAVAILABLE', message: 'Later' } },
    { status: 503, headers: { 'retry-after': '2' } },
  )

describe('createClient', () => {
  it('creates, reads, replaces and deletes a resource', async () => {
    const { client } = open()
    const created = await client.post('/notes', { body: { text: 'Buy milk' } })
    expect(created).toMatchObject({ ok: true, status: 201, data: { id: '0001', text: 'Buy milk' } })
    const read = await client.get('/notes/{id}', { params: { id: '0001' } })
    if (!read.ok) throw new Error(read.code)
    expectTypeOf(read.data).toEqualTypeOf<{
      id: string
      text: string
      at: string
      tags?: string[] | undefined
    }>()
    expect(read.data.at).toBe('1970-01-01T00:00:00.000Z')
    const replaced = await client.put('/notes/{id}', {
      params: { id: '0001' },
      body: { text: 'Buy tea' },
      ...(read.etag !== undefined && { ifMatch: read.etag }),
    })
    expect(replaced).toMatchObject({ ok: true, data: { text: 'Buy tea' } })
    expect(await client.delete('/notes/{id}', { params: { id: '0001' } })).toMatchObject({
      ok: true,
      status: 204,
    })
  })

  it('refuses a change of a resource that has changed', async () => {
    const { client, add } = open()
    add('one')
    const input = { params: { id: '0001' }, body: { text: 'two' }, ifMatch: '"old"' }
    expect(await client.put('/notes/{id}', input)).toMatchObject({ ok: false, code: 'PRECONDITION_FAILED' })
  })

  it('types the failures by code', async () => {
    const { client } = open()
    const result = await client.put('/notes/{id}', { params: { id: 'x' }, body: { text: '' } })
    if (result.ok) throw new Error('accepted')
    expect(result.code).toBe('VALIDATION_ERROR')
    if (result.code === 'VALIDATION_ERROR') expect(result.details[0]).toMatchObject({ field: 'text' })
    expectTypeOf<'NOTE_LOCKED'>().toExtend<typeof result.code>()
    // @ts-expect-error no code of the API
    expect(result.code === 'NOBODY_HAS_THIS').toBe(false)
  })

  it('requires the declared input', () => {
    const { client } = open()
    // @ts-expect-error no such path
    void client.get('/nothing')
    // @ts-expect-error a missing path parameter
    void client.get('/notes/{id}').catch(() => undefined)
    // @ts-expect-error a body with another type
    void client.post('/notes', { body: { text: 1 } })
    // @ts-expect-error a list is not deleted
    void client.delete('/notes')
  })

  it('reads all items of a list by cursor, and by page where the list has no cursors', async () => {
    const { client, add, requests } = open()
    for (let index = 0; index < 45; index++) add(`note ${index}`)
    const read = async (path: '/notes' | '/pages') => {
      const ids: string[] = []
      for await (const { id } of client.list(path, { query: { limit: 20 } })) ids.push(id)
      return ids
    }
    expect(await read('/notes')).toHaveLength(45)
    expect(requests).toHaveLength(3)
    const paged = await read('/pages')
    expect(new Set(paged).size).toBe(45)
  })

  it('throws the failure of a page', async () => {
    const { client } = open()
    const reading = client.list('/notes', { query: { limit: 5000 } })
    await expect(reading.next()).rejects.toBeInstanceOf(ClientError)
  })

  it('repeats parameters of an array, and joins fields with commas', async () => {
    const { client, requests } = open()
    const found = await client.get('/search', { query: { word: 'a b', tag: ['x', 'y'] } })
    expect(found).toMatchObject({ ok: true, data: { word: 'a b', tag: ['x', 'y'] } })
    await client.get('/notes', { query: { fields: ['id', 'text'] } })
    expect(requests[1]?.url).toContain('fields=id%2Ctext')
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer token')
  })

  it('returns the response of another media type', async () => {
    const { client } = open()
    const exported = await client.get('/notes.txt')
    if (!exported.ok) throw new Error(exported.code)
    expect(await exported.data.text()).toBe('all')
  })

  it('sends a request again after a 503, and a POST only with an idempotency key', async () => {
    const failing = () => open((answer, attempt) => (attempt === 1 ? unavailable() : answer))
    const first = failing()
    expect(await first.client.get('/notes')).toMatchObject({ ok: true })
    expect(first.delays).toEqual([2000])
    const second = failing()
    expect(await second.client.post('/notes', { body: { text: 'a' } })).toMatchObject({
      ...{ ok: false, code: 'SERVICE_UNAVAILABLE', retryAfterMs: 2000 },
    })
    const third = failing()
    const created = await third.client.post('/notes', { body: { text: 'a' }, idempotencyKey: 'key-1' })
    expect(created).toMatchObject({ ok: true, data: { id: '0001' } })
  })

  it('reports a server that cannot be reached, and an answer of another server', async () => {
    const down = open(() => Promise.reject(new TypeError('fetch failed')))
    expect(await down.client.get('/notes')).toMatchObject({ ok: false, code: 'NETWORK_ERROR', status: 0 })
    expect(down.requests).toHaveLength(3)
    const proxy = open(() => new Response('<html>', { status: 502 }))
    expect(await proxy.client.get('/notes')).toMatchObject({ code: 'UNREADABLE_RESPONSE', status: 502 })
  })

  it('rejects with the reason of an aborted signal', async () => {
    const { client } = open()
    await expect(client.get('/notes', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow(
      'left',
    )
  })

  // Regression: all of them were NETWORK_ERROR after three attempts.
  it('rejects for a body that JSON does not have, and when the credentials fail', async () => {
    const { api } = createNotes()
    const fetch = vi.fn(createFetchHandler(api))
    const failed = new Error('The session has ended')
    const options = { baseUrl: 'http://localhost', fetch }
    const client = createClient<Notes>({ ...options, authorization: () => Promise.reject(failed) })
    await expect(client.get('/notes')).rejects.toBe(failed)
    const text = 1n as unknown as string
    await expect(createClient<Notes>(options).post('/notes', { body: { text } })).rejects.toThrow(TypeError)
    expect(fetch).not.toHaveBeenCalled()
  })

  // Regression: both were UNREADABLE_RESPONSE.
  it('reports a connection that ends in an answer, and rejects when the signal is aborted there', async () => {
    const cut = () => {
      const body = new ReadableStream({
        pull(controller) {
          controller.error(new TypeError('terminated'))
        },
      })
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }
    expect(await open(cut).client.get('/notes')).toMatchObject({ ok: false, code: 'NETWORK_ERROR' })
    const controller = new AbortController()
    const { client } = open(() => {
      controller.abort(new Error('left'))
      return cut()
    })
    await expect(client.get('/notes', { signal: controller.signal })).rejects.toThrow()
  })

  it('sends a PATCH again only with ifMatch, and delays with jitter', async () => {
    const route = createRouteGroup({ access: 'public', rateLimit: false })
    let sent = 0
    const api = createApi({
      routes: [
        route.patch('/count', { operationId: 'count', etag: true }, (_, { conditions }) => {
          sent += conditions.ifMatch === undefined ? 1 : 10
          throw new SallyportError('SERVICE_UNAVAILABLE', 'Later')
        }),
      ],
    })
    const sleep = vi.fn(() => Promise.resolve())
    const options = { baseUrl: 'http://a', fetch: createFetchHandler(api), sleep, random: () => 0.25 }
    const client = createClient<typeof api>(options)
    await client.patch('/count')
    expect(sent).toBe(1)
    await client.patch('/count', { ifMatch: '"1"' })
    expect(sent).toBe(31)
    expect(sleep.mock.calls.map(([delay]: readonly unknown[]) => delay)).toEqual([187.5, 375])
  })

  // Regression: an id that a stranger chose addressed another resource.
  it.each(['.', '..'])('sends no request for the path parameter %j, which leaves its path', async (id) => {
    const { client, requests } = open()
    await expect(client.delete('/notes/{id}', { params: { id } })).rejects.toThrow(TypeError)
    expect(await client.get('/notes/{id}', { params: { id: '../a?b' } })).toMatchObject({ code: 'NOT_FOUND' })
    expect(requests.map(({ url }) => url)).toEqual(['https://notes.example.com/notes/..%2Fa%3Fb'])
  })

  it('waits for the first request of an idempotency key that the connection lost', async () => {
    const { api } = createNotes()
    const handle = createFetchHandler(api)
    let sent = 0
    const fetch = async (request: Request) => {
      if (++sent === 1) throw new TypeError('fetch failed')
      if (sent > 2) return handle(request)
      const error = { code: 'IDEMPOTENCY_KEY_IN_USE', message: 'Still running' }
      return Response.json({ error }, { status: 409, headers: { 'retry-after': '5' } })
    }
    const sleep = vi.fn(() => Promise.resolve())
    const client = createClient<Notes>({ baseUrl: 'http://a', fetch, sleep })
    const created = await client.post('/notes', { body: { text: 'a' }, idempotencyKey: 'key-1' })
    expect(created).toMatchObject({ ok: true, data: { id: '0001' } })
    expect(sleep).toHaveBeenLastCalledWith(5000, undefined)
  })

  it('sends files, forms and streams, and a stream once', async () => {
    const route = createRouteGroup({ access: 'public', rateLimit: false })
    const form = multipartBody(z.object({ title: z.string(), file: z.file() }))
    const api = createApi({
      routes: [
        route.put(
          '/raw',
          { operationId: 'putRaw', body: streamBody({ limit: 100 }), data: z.string() },
          ({ body }) => new Response(body).text(),
        ),
        route.post('/form', { operationId: 'postForm', body: form, data: z.string() }, async ({ body }) =>
          [body.title, body.file.name, await body.file.text()].join(),
        ),
      ],
    })
    const handle = createFetchHandler(api)
    const fetch = vi.fn(handle)
    const client = createClient<typeof api>({ baseUrl: 'http://a', fetch, sleep: () => Promise.resolve() })
    const body = new FormData()
    body.set('title', 'A file')
    body.set('file', new File(['content'], 'a.txt'))
    expect(await client.post('/form', { body })).toMatchObject({ data: 'A file,a.txt,content' })
    const blob = new Blob(['content'], { type: 'application/octet-stream' })
    expect(await client.put('/raw', { body: blob })).toMatchObject({ data: 'content' })
    const headers = { 'Content-Type': 'application/octet-stream' }
    expect(await client.put('/raw', { headers, body: blob.stream() })).toMatchObject({ data: 'content' })
    fetch.mockClear()
    fetch.mockRejectedValue(new TypeError('fetch failed'))
    expect(await client.put('/raw', { headers, body: blob.stream() })).toMatchObject({
      code: 'NETWORK_ERROR',
    })
    expect(fetch).toHaveBeenCalledOnce()
    // @ts-expect-error a form is not JSON
    void client.post('/form', { body: { title: 'x' } })
  })

  it('starts a list at the given page, and asks once about a wrong parameter', async () => {
    const { client, add, requests } = open()
    for (let index = 0; index < 45; index++) add(`note ${index}`)
    const ids: string[] = []
    for await (const { id } of client.list('/pages', { query: { page: 2, limit: 20 } })) ids.push(id)
    expect(ids).toHaveLength(25)
    requests.length = 0
    await expect(client.list('/notes', { query: { limit: 5000 } }).next()).rejects.toThrow('VALIDATION_ERROR')
    expect(requests).toHaveLength(1)
  })

  it('types headers, filters, sorting, tuples, brands and the forms of bodies', async () => {
    const route = createRouteGroup({ access: 'public', rateLimit: false })
    const filterable = {
      state: listFilter.oneOf(['on', 'off']),
      size: listFilter.integer(),
      since: listFilter.after('at'),
    }
    const query = defineListQuery({ sortable: ['id', 'at'], filterable })
    const Id = z.string().brand<'Id'>()
    const Item = z.object({ id: Id, at: z.tuple([z.number(), z.string()]) })
    const Own = z.object({ data: z.array(z.number()), next: z.string().optional() })
    const api = createApi({
      secrets: ['a secret of at least thirty-two bytes'],
      routes: [
        route.list('/items', { operationId: 'a', query, item: Item }, () => []),
        route.get(
          '/own',
          {
            operationId: 'b',
            headers: { 'X-Tenant': z.string(), 'X-Mode': z.string().optional() },
            responses: { 200: { body: Own } },
          },
          ({ headers }) => ({ status: 200, body: { data: [headers['X-Tenant'].length] } }),
        ),
        route.get(
          '/bare',
          {
            operationId: 'c',
            query: defineListQuery({ sortable: ['id'], pagination: 'offset' }),
            responses: { 200: { list: Item, form: 'bare' } },
          },
          () => ({ status: 200, body: [] }),
        ),
      ],
    })
    const client = createClient<typeof api>({ baseUrl: 'http://a', fetch: createFetchHandler(api) })
    const items = client.list('/items', {
      query: { state: 'on', size: 1, since: new Date(0), sort: '-at,id' },
    })
    type Expected = AsyncGenerator<{ id: z.infer<typeof Id>; at: [number, string] }, void, undefined>
    expectTypeOf(items).toEqualTypeOf<Expected>()
    expect(await items.next()).toMatchObject({ done: true })
    const own = await client.get('/own', { headers: { 'X-Tenant': 'abc' } })
    if (!own.ok) throw new Error(own.code)
    expectTypeOf(own.data).toEqualTypeOf<number[] | { data: number[]; next?: string | undefined }>()
    expect(own.data).toEqual([3])
    const bare = await client.get('/bare')
    if (!bare.ok || !Array.isArray(bare.data)) throw new Error('no array')
    expect(bare.data).toEqual([])
    // @ts-expect-error a missing header
    void client.get('/own')
    // @ts-expect-error an unknown choice
    client.list('/items', { query: { state: 'broken' } })
    // @ts-expect-error text for a number
    client.list('/items', { query: { size: 'x' } })
    // @ts-expect-error an unknown field
    client.list('/items', { query: { sort: 'colour' } })
  })
})
