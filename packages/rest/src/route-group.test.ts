import { SallyportError } from '@sallyport/errors'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { createApi } from './api/api.ts'
import { defineListQuery } from './define-list-query.ts'
import { createFetchHandler } from './fetch/index.ts'
import { createOpenApiDocument } from './openapi/index.ts'
import { requireCurrent, requireFound } from './require-resource.ts'
import { createRouteGroup } from './route-group.ts'
import type { RouteAccess } from './route.ts'

interface Caller {
  readonly id: string
}

const Note = z.object({ id: z.string(), text: z.string() })
const body = z.strictObject({ text: z.string() })
const query = defineListQuery({ sortable: ['text'], pagination: 'offset' })
const notes = new Map([['a/b', { id: 'a/b', text: 'Buy milk' }]])

const route = createRouteGroup<Caller>({ tags: ['notes'], etag: true, errors: ['CONFLICT'] })
const routes = [
  route.list('/notes', { operationId: 'listNotes', query, item: Note }, () => [...notes.values()]),
  route.post('/notes', { operationId: 'createNote', body, data: Note }, ({ body }, { caller }) => {
    expectTypeOf(caller).toEqualTypeOf<Caller>()
    return { id: `${caller.id}/1`, ...body }
  }),
  route.post('/searches', { operationId: 'search', body, data: z.number(), status: 200 }, () => 7),
  route.get('/notes/{id}', { operationId: 'getNote', data: Note }, ({ params }) =>
    requireFound(notes.get(params.id), 'There is no such note'),
  ),
  route.patch('/notes/{id}', { operationId: 'patchNote', body, data: Note }, ({ params, body }, context) => {
    const note = requireFound(notes.get(params.id))
    requireCurrent(context, note)
    return { ...note, ...body }
  }),
  route.delete('/notes/{id}', { operationId: 'delete_note', access: { roles: ['admin'] } }, () => {
    // The response has no body.
  }),
  route.post(
    '/notes/{id}/copies',
    {
      operationId: 'copyNote',
      access: 'public',
      responses: { 201: { description: 'The copy', data: Note }, 202: { description: 'Later' } },
    },
    async ({ params: { id } }, { caller }) => {
      expectTypeOf(caller).toEqualTypeOf<Caller | undefined>()
      const note = notes.get(id)
      if (note === undefined) return { status: 202 }
      return { status: 201, headers: { 'X-Copy': '1' }, body: { data: note } }
    },
  ),
]
const api = createApi<Caller>({
  routes,
  authenticate({ header }) {
    if (header('authorization') !== undefined) return { id: 'ada', role: 'admin' }
    throw new SallyportError('TOKEN_MISSING', 'Send a token')
  },
})
const handle = createFetchHandler(api, { mount: '/api' })

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = method === 'POST' || method === 'PATCH' ? { body: '{"text":"Buy tea"}' } : {}
  return handle(
    new Request(`https://example.com/api${path}`, {
      method,
      headers: { authorization: 'Bearer x', 'content-type': 'application/json', ...headers },
      ...body,
    }),
  )
}

describe('a route of a group', () => {
  it('needs authentication by default', async () => {
    expect((await handle(new Request('https://example.com/api/notes'))).status).toBe(401)
  })

  it('answers the resource in its envelope', async () => {
    const response = await send('GET', '/notes/a%2Fb')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ data: { id: 'a/b', text: 'Buy milk' } })
  })

  it('answers the address of a created resource', async () => {
    const response = await send('POST', '/notes')
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe('/api/notes/ada%2F1')
  })

  it('answers the declared status without a Location', async () => {
    const response = await send('POST', '/searches')
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
  })

  it('answers 204 without a schema of the resource', async () => {
    expect((await send('DELETE', '/notes/1')).status).toBe(204)
  })

  it('answers what its handler returns if it declares responses', async () => {
    const copied = await send('POST', '/notes/a%2Fb/copies')
    expect([copied.status, copied.headers.get('x-copy'), copied.headers.get('location')]).toEqual([
      201,
      '1',
      null,
    ])
    expect(await copied.json()).toEqual({ data: notes.get('a/b') })
    expect((await send('POST', '/notes/x/copies')).status).toBe(202)
  })

  it('may be public in a group that needs authentication', async () => {
    const request = new Request('https://example.com/api/notes/x/copies', { method: 'POST' })
    expect((await handle(request)).status).toBe(202)
  })

  it('answers the page of a list', async () => {
    const { data, meta } = (await (await send('GET', '/notes')).json()) as Record<string, unknown>
    expect([data, meta]).toEqual([[...notes.values()], { page: 1, limit: 20, total: 1, totalPages: 1 }])
  })

  it('answers 404 for a missing resource', async () => {
    const response = await send('GET', '/notes/x')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: { code: 'NOT_FOUND', message: 'There is no such note' } })
  })

  it('accepts the ETag of the GET route in If-Match', async () => {
    const etag = (await send('GET', '/notes/a%2Fb')).headers.get('etag') ?? ''
    expect((await send('PATCH', '/notes/a%2Fb', { 'if-match': etag })).status).toBe(200)
    expect((await send('PATCH', '/notes/a%2Fb', { 'if-match': '"old"' })).status).toBe(412)
  })
})

it('documents the routes of a group', () => {
  const { paths } = createOpenApiDocument({
    routes: api.routes,
    info: { title: 'Notes', version: '1.0.0' },
    tags: [{ name: 'notes', description: 'Notes.' }],
  })
  const { get, delete: remove } = paths['/notes/{id}'] ?? {}
  expect(get).toMatchObject({
    summary: 'Get note',
    tags: ['notes'],
    responses: { 200: { description: 'Success' }, 404: {}, 409: {} },
  })
  expect(remove?.summary).toBe('Delete note')
  expect(Object.keys(paths['/notes/{id}/copies']?.post?.responses ?? {})).not.toContain('404')
  const location = paths['/notes']?.post?.responses['201']
  expect(location).toMatchObject({ headers: { Location: { description: expect.any(String) as string } } })
  expect(JSON.stringify(location)).toContain('if it has an id.","schema"')
})

describe('a handler of a group does not compile', () => {
  const declared = { operationId: 'getNote', data: Note }

  it('with an undeclared field', () => {
    // @ts-expect-error the field secret is not declared
    route.get('/notes', declared, () => ({ id: '1', text: 'Buy milk', secret: 'x' }))
    // @ts-expect-error the field secret is not declared
    route.list('/notes', { operationId: 'listNotes', query, item: Note }, () => [
      { id: '1', text: 'Buy milk', secret: 'x' },
    ])
  })

  it('with a missing field', () => {
    // @ts-expect-error the field text is missing
    route.get('/notes', declared, () => ({ id: '1' }))
  })

  it('with a resource that is not declared', () => {
    // @ts-expect-error the route declares no data
    route.get('/notes', { operationId: 'getNote' }, () => ({ id: '1' }))
  })

  it('with data and responses', () => {
    const both = { operationId: 'getNote', data: Note, responses: { 200: { data: Note } } }
    // @ts-expect-error the declaration is ambiguous
    route.get('/notes', both, () => ({ id: '1', text: 'Buy milk' }))
  })

  it('if it requires the caller of a route that may be public', () => {
    const access = 'authenticated' as RouteAccess
    route.get('/notes', { ...declared, access }, (_, { caller }) => {
      expectTypeOf(caller).toEqualTypeOf<Caller | undefined>()
      return { id: caller?.id ?? '', text: '' }
    })
  })

  it('if it requires the caller of a public route', () => {
    const open = createRouteGroup<Caller>({ access: 'public' })
    open.get('/notes', declared, (_, { caller }) => {
      expectTypeOf(caller).toEqualTypeOf<Caller | undefined>()
      return { id: caller?.id ?? '', text: '' }
    })
  })
})
