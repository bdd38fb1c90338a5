import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createApi } from '../api/api.ts'
import type { ApiContext } from '../api/api-context.ts'
import { SallyportError } from '@sallyport/errors'
import { defineListQuery } from '../define-list-query.ts'
import { createMemoryIdempotencyStore } from '../memory-idempotency-store.ts'
import { requireCurrent, requireFound } from '../require-resource.ts'
import type { RouteBinding } from '../route-binding.ts'
import { createRouteGroup } from '../route-group.ts'
import { checkRoutes } from './index.ts'

const secret = 'a secret of at least thirty-two bytes'
const NewNote = z.strictObject({
  text: z.string().min(1).max(20),
  stars: z.int().min(0).max(5).optional(),
  labels: z.array(z.enum(['red', 'green'])).max(2),
  author: z.strictObject({ email: z.email(), born: z.iso.date().nullable() }),
})
const Note = NewNote.extend({ id: z.uuid() }).meta({ id: 'Note' })
const params = z.object({ id: z.uuid() })

const open = createRouteGroup({ access: 'public', rateLimit: false })
const check = (routes: readonly RouteBinding<ApiContext<never>>[], seed = 1) =>
  checkRoutes(createApi({ routes, responseSchemas: 'check', secrets: [secret] }), { seed })

/** Creates an API of notes without faults. */
function createNotes() {
  const notes = new Map<string, z.infer<typeof Note>>()
  const route = createRouteGroup<{ sub: string }>({ etag: true, idempotencyKey: true, rateLimit: false })
  const query = defineListQuery({ sortable: ['text'], searchable: ['text'], fields: ['id', 'text'] })
  const api = createApi({
    authenticate: ({ header }) => {
      if (header('authorization') === 'Bearer ada') return { sub: 'ada' }
      throw new SallyportError('INVALID_TOKEN', 'Log in', { headers: { 'WWW-Authenticate': 'Bearer' } })
    },
    secrets: [secret],
    idempotency: createMemoryIdempotencyStore(),
    routes: [
      route.list('/notes', { operationId: 'listNotes', query, item: Note }, () => [...notes.values()]),
      route.post('/notes', { operationId: 'createNote', body: NewNote, data: Note }, ({ body }) => {
        const note = { ...body, id: randomUUID() }
        notes.set(note.id, note)
        return note
      }),
      route.get('/notes/{id}', { operationId: 'getNote', params, data: Note }, ({ params }) =>
        requireFound(notes.get(params.id)),
      ),
      route.delete('/notes/{id}', { operationId: 'deleteNote', params }, ({ params }, context) => {
        requireCurrent(context, requireFound(notes.get(params.id)))
        notes.delete(params.id)
      }),
    ],
  })
  return { api, notes }
}

it('reaches the handlers, and returns the statuses of each route', async () => {
  const { api, notes } = createNotes()
  const statuses = await checkRoutes(api, {
    authorization: () => 'Bearer ada',
    values: { id: () => [...notes.keys()].at(-1) ?? randomUUID() },
    requests: 60,
    seed: 1,
  })
  expect(statuses).toMatchObject({
    listNotes: [200, 400, 401],
    createNote: [201, 400, 401],
    getNote: expect.arrayContaining([200, 400, 401, 404]) as unknown,
    deleteNote: expect.arrayContaining([204, 400, 401, 404]) as unknown,
  })
})

it('needs credentials for the routes that are not public', async () => {
  await expect(checkRoutes(createNotes().api, { skip: ['createNote'] })).resolves.toMatchObject({
    getNote: [401],
  })
})

describe('finds', () => {
  const Item = z.strictObject({ text: z.string() })

  it('a result that does not match its schema, with the smallest request', async () => {
    const routes = [
      open.post('/items', { operationId: 'createItem', body: Item, data: Item }, ({ body }) =>
        body.text.length > 3 ? ({ text: 7 } as unknown as typeof body) : body,
      ),
    ]
    await expect(check(routes)).rejects.toThrow(
      /^createItem: The API fails\n\nPOST \/items\n\n\{"text":".{4,8}"\}\n\n500 .*\n\nRepeat it with \{ seed: 1 \}$/s,
    )
  })

  it('an error that the route does not declare', async () => {
    const routes = [
      open.get('/items/{id}', { operationId: 'getItem', params, data: Item }, () => {
        throw new SallyportError('CONFLICT', 'Not now')
      }),
    ]
    await expect(check(routes)).rejects.toThrow('The status 409 is not declared')
  })

  it('a field that the document says to be refused', async () => {
    const { '~standard': standard } = Item
    const lax = { '~standard': { ...standard, validate: (value: unknown) => ({ value }) } }
    const routes = [
      open.post(
        '/items',
        { operationId: 'createItem', body: lax as typeof Item, data: z.string() },
        () => 'done',
      ),
    ]
    await expect(check(routes)).rejects.toThrow('accepts a request that the document refuses')
  })

  it('a rate limit, which would hide everything else', async () => {
    const limited = createRouteGroup({ access: 'public' })
    const routes = [limited.get('/items', { operationId: 'getItems', data: Item }, () => ({ text: '' }))]
    const api = createApi({ routes, rateLimits: { default: { quota: 5, window: 60 } } })
    await expect(checkRoutes(api)).rejects.toThrow('raise its rateLimits')
  })

  it('an example that does not match its schema', async () => {
    const responses = { 200: { data: Item, example: { data: { txt: 'a' } } } }
    const routes = [
      open.get('/items', { operationId: 'getItems', responses }, () => ({
        status: 200 as const,
        body: { data: { text: '' } },
      })),
    ]
    await expect(check(routes)).rejects.toThrow('getItems: the example of the response does not match')
  })
})
