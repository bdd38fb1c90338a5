import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { createCursorCodec } from './cursor.ts'
import { defineListQuery } from './define-list-query.ts'
import type { RefusedBody } from './route-binding.ts'
import { checkRoute } from './check-route.ts'
import { offsetEnvelope, type CursorEnvelope, type OffsetEnvelope } from './envelope.ts'
import { cursorPage, pickFields, selectRows } from './page.ts'
import { createRouteGroup } from './route-group.ts'
import { readRequest } from './route-request.ts'
import type { RouteRequest, RouteResult } from './route.ts'
import { createRouter } from './router.ts'

const group = createRouteGroup()

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const Task = z.object({ id: z.uuid(), title: z.string() })

const createTask = checkRoute({
  method: 'POST',
  path: '/projects/{project_id}/tasks',
  operationId: 'createTask',
  summary: 'Create a task',
  access: 'authenticated',
  params: z.object({ project_id: z.uuid() }),
  query: z.strictObject({ dry: z.enum(['true']).optional() }),
  body: z.strictObject({ title: z.string().trim().min(1) }),
  responses: {
    201: { description: 'The task', data: Task, headers: { Location: 'Where it is' } },
    202: { description: 'Later' },
  },
})

const listTasks = checkRoute({
  method: 'GET',
  path: '/projects/{project_id}/tasks',
  operationId: 'listTasks',
  summary: 'List tasks',
  access: { roles: ['admin'] },
  query: defineListQuery({ sortable: ['title'], fields: ['id', 'title'] }),
  responses: { 200: { description: 'A page of tasks', list: Task } },
})

describe('a declared route', () => {
  it('types the request and result of its handler', () => {
    type Request = RouteRequest<typeof createTask>
    expectTypeOf<Request['params']>().toEqualTypeOf<{ project_id: string }>()
    expectTypeOf<Request['query']>().toEqualTypeOf<{ dry?: 'true' | undefined }>()
    expectTypeOf<Request['body']>().toEqualTypeOf<{ title: string }>()
    type Result = RouteResult<typeof createTask>
    expectTypeOf<Result['status']>().toEqualTypeOf<201 | 202>()
    expectTypeOf<Extract<Result, { status: 201 }>['body']['data']>().toEqualTypeOf<{
      id: string
      title: string
    }>()

    type Tasks = RouteRequest<typeof listTasks>
    expectTypeOf<Tasks['params']>().toEqualTypeOf<Readonly<Record<'project_id', string>>>()
    expectTypeOf<NonNullable<Tasks['query']['fields']>>().toEqualTypeOf<readonly ('id' | 'title')[]>()
    expectTypeOf<Tasks['body']>().toEqualTypeOf<undefined>()
    type Part = Partial<z.infer<typeof Task>>
    expectTypeOf<RouteResult<typeof listTasks>['body']>().toEqualTypeOf<
      CursorEnvelope<Part> | OffsetEnvelope<Part>
    >()
  })

  it('does not compile with undeclared results or parameters', () => {
    // @ts-expect-error the status is not declared
    group.post('/projects/{project_id}/tasks', createTask, () => ({ status: 200 }))
    // @ts-expect-error the body is not a task
    group.post('/projects/{project_id}/tasks', createTask, () => ({
      status: 201,
      body: { data: { id: 'x' } },
    }))
    group.post('/projects/{project_id}/tasks', createTask, () => ({ status: 202 }))
    // @ts-expect-error the path has no project_id
    group.post('/tasks/{id}', createTask, () => ({ status: 202 }))
  })
})

describe('readRequest', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'

  it('returns the validated parts', async () => {
    const raw = { params: { project_id: id }, query: 'dry=true', body: { title: ' x ' } }
    expect(await readRequest(createTask, raw)).toEqual({
      params: { project_id: id },
      query: { dry: 'true' },
      body: { title: 'x' },
    })
  })

  it('reports the problems of all parts at once', async () => {
    const raw = { params: { project_id: 'x' }, query: 'dry=no&dry=no&odd=1', body: { title: '', extra: 1 } }
    await expect(readRequest(createTask, raw)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: ['project_id', 'dry', 'dry', 'odd', 'title', 'extra'].map((field) => ({ field })),
    })
  })

  // Regression: the key was validated only when everything else was valid.
  it('reports an invalid key with the other problems and alone', async () => {
    const raw = { params: { project_id: id }, query: '', idempotencyKey: '' }
    await expect(readRequest(createTask, { ...raw, body: { title: '' } })).rejects.toMatchObject({
      details: [
        { code: 'TOO_SHORT', field: 'title', in: 'body' },
        { code: 'INVALID_FORMAT', field: 'Idempotency-Key', in: 'header' },
      ],
    })
    const body = { title: 'x' }
    const asked: unknown[] = []
    const review = async (refused: RefusedBody) => {
      asked.push(refused)
      return []
    }
    await expect(readRequest(createTask, { ...raw, body }, { review })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'Idempotency-Key' }],
    })
    expect(asked).toEqual([])
    await readRequest(createTask, { ...raw, body, idempotencyKey: '~' })
  })

  it('adds the problems of review to those of a rejected body', async () => {
    const asked: unknown[] = []
    const review = async (refused: RefusedBody) => {
      asked.push(refused)
      return [{ field: 'id', message: 'Cannot be changed' }]
    }
    const params = { project_id: id }
    const body = { title: '', id: 'x' }
    await expect(readRequest(createTask, { params, query: '', body }, { review })).rejects.toMatchObject({
      details: [
        { field: 'title' },
        { field: 'id', message: 'Unknown field' },
        { code: 'INVALID', field: 'id', in: 'body' },
      ],
    })
    expect(asked).toEqual([{ params, body }])
    await readRequest(createTask, { params, query: '', body: { title: 'x' } }, { review })
    const wrong = readRequest(createTask, { params: { project_id: 'x' }, query: '', body }, { review })
    await expect(wrong).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(asked).toHaveLength(1)
  })

  it('reports problems with the code of the list query', async () => {
    const strict = checkRoute({
      ...listTasks,
      query: defineListQuery({ sortable: ['title'], invalid: { code: 'VALIDATION_FAILED' } }),
    })
    const raw = { params: { project_id: id }, query: 'page=0' }
    await expect(readRequest(strict, raw, { cursors })).rejects.toMatchObject({ status: 422 })
    const told = readRequest(strict, raw, { cursors, invalid: { status: 499 } })
    await expect(told).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 499 })
    const long = { params: { project_id: id }, query: `x=${'x'.repeat(9000)}` }
    await expect(readRequest(strict, long, { cursors })).rejects.toMatchObject({ code: 'URI_TOO_LONG' })
  })

  it('binds cursors to their path', async () => {
    const start = { params: { project_id: 'a' }, query: 'cursor=' }
    const { pagination } = (await readRequest(listTasks, start, { cursors })).query
    if (pagination.kind !== 'cursor') throw new Error('not a cursor page')
    const query = `cursor=${cursors.encode({ at: 'after', position: ['id-1'] }, pagination.binding)}`
    const own = await readRequest(listTasks, { params: { project_id: 'a' }, query }, { cursors })
    expect(own.query.pagination).toMatchObject({ anchor: { position: ['id-1'] } })
    const other = readRequest(listTasks, { params: { project_id: 'b' }, query }, { cursors })
    await expect(other).rejects.toMatchObject({ details: [{ field: 'cursor' }] })
  })

  it.each([
    // Regression: a cursor was rejected when an id was spelled in another case.
    ['spellings of one text', z.object({ id: z.string().toLowerCase() }), 'ab', 'AB', true],
    ['spellings of one number', z.object({ id: z.coerce.bigint() }), '7', '07', true],
    ['two texts', z.object({ id: z.string() }), 'ab', 'AB', false],
    [
      'values that are the same to JSON',
      z.object({ id: z.string().transform((v) => new Set(v)) }),
      'a',
      'b',
      false,
    ],
    ['nothing of the parameters', z.object({ id: z.string() }).transform(() => ({})), 'a', 'b', false],
    [
      'more than them',
      z.object({ id: z.string() }).transform(({ id }) => ({ id: 1, own: id })),
      'a',
      'b',
      false,
    ],
  ])('binds cursors to parsed parameters: %s', async (_, params, one, other, same) => {
    const list = checkRoute({
      method: 'GET',
      path: '/lists/{id}',
      operationId: 'list',
      summary: 'List',
      access: 'public',
      params,
      query: defineListQuery({ sortable: ['id'] }),
      responses: { 200: { description: 'A page', list: Task } },
    })
    const getBinding = async (text: string) => {
      const { query } = await readRequest(list, { params: { id: text }, query: 'cursor=' }, { cursors })
      return query.pagination.kind === 'cursor' && query.pagination.binding
    }
    expect((await getBinding(one)) === (await getBinding(other))).toBe(same)
  })

  it('reads a missing optional body as an empty object', async () => {
    const replay = checkRoute({
      method: 'POST',
      path: '/replays',
      operationId: 'replay',
      summary: 'Replay',
      access: 'public',
      body: z.strictObject({ again: z.boolean().default(false) }),
      bodyRequired: false,
      responses: { 202: { description: 'It begins' } },
    })
    const read = async (body?: unknown) => (await readRequest(replay, { params: {}, query: '', body })).body
    expect([await read(), await read({ again: true })]).toEqual([{ again: false }, { again: true }])
    await expect(read(null)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const required = { ...replay, bodyRequired: true }
    await expect(readRequest(required, { params: {}, query: '' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })

  it('ignores a query that is not declared', async () => {
    const ping = checkRoute({
      method: 'GET',
      path: '/',
      operationId: 'ping',
      summary: 'Ping',
      access: 'public',
      responses: { 204: { description: 'Pong' } },
    })
    const { query } = await readRequest(ping, { params: {}, query: 'utm=1&utm=2&%zz' })
    expect(query).toBeUndefined()
  })
})

it('the parts make a list endpoint together', async () => {
  const tasks = ['b', 'a', 'c'].map((title, n) => ({ id: `01890a5d-ac96-774b-bcce-b302099a805${n}`, title }))
  const binding = group.get(
    '/projects/{project_id}/tasks',
    {
      operationId: 'listTasks',
      summary: 'List tasks',
      access: { roles: ['admin'] },
      query: defineListQuery({ sortable: ['title'], fields: ['id', 'title'] }),
      responses: { 200: { description: 'A page of tasks', list: Task } },
    },
    ({ query }) => {
      const { rows, total } = selectRows(tasks, query)
      const map = (task: (typeof tasks)[number]) => pickFields(task, query.fields)
      const body =
        query.pagination.kind === 'cursor'
          ? cursorPage(rows, query, { cursors, map })
          : offsetEnvelope(rows.map(map), { ...query.pagination, total })
      return { status: 200, body }
    },
  )
  const router = createRouter([binding], { prefixes: ['/api/v1'] })
  const get = async (query: string) => {
    const match = router.match('GET', '/api/v1/projects/1/tasks')
    if (match.kind !== 'route') throw new Error('not a route')
    const { route, handler } = match.binding
    return (
      await handler(await readRequest(route, { params: match.params, query }, { cursors }), {} as never)
    ).body
  }
  expect(await get('sort=title&fields=title&limit=2')).toEqual({
    data: [{ title: 'a' }, { title: 'b' }],
    meta: { page: 1, limit: 2, total: 3, totalPages: 2 },
  })
  const first = (await get('sort=title&fields=title&limit=2&cursor=')) as CursorEnvelope<unknown>
  expect(first).toMatchObject({ data: [{ title: 'a' }, { title: 'b' }], meta: { hasMore: true } })
  expect(await get(`sort=title&fields=title&cursor=${first.meta.nextCursor}`)).toMatchObject({
    data: [{ title: 'c' }],
    meta: { hasMore: false },
  })
})

describe('a contradictory route', () => {
  const valid = {
    method: 'GET' as const,
    path: '/a',
    operationId: 'a',
    summary: 'A',
    access: 'public' as const,
    responses: { 200: { description: 'A', body: Task } },
  }
  const list = { description: 'A', list: Task }
  it.each([
    ['a body for GET', { body: Task }],
    ['bodyRequired without a body', { method: 'POST', bodyRequired: true }],
    ['an Idempotency-Key for GET', { idempotencyKey: true }],
    ['an empty list of roles', { access: { roles: [] } }],
    ['roles as a string', { access: { roles: 'admin' } }],
    // Regression: these were documented as open to any token, or to none.
    ['a role as access', { access: 'admin' }],
    ['a misspelled access', { access: 'authentcated' }],
    ['no access', { access: undefined }],
    ['a null access', { access: null }],
    ['a method in lower case', { method: 'get' }],
    ['the method HEAD', { method: 'HEAD' }],
    ['no method', { method: undefined }],
    ['no response', { responses: {} }],
    ['an error status in responses', { responses: { 404: { description: 'No' } } }],
    ['a body for 204', { responses: { 204: { description: 'No', data: Task } } }],
    ['two bodies', { responses: { 200: { description: 'A', data: Task, body: Task } } }],
    ['a list without a list query', { responses: { 200: list } }],
    ['a form without a list', { responses: { 200: { description: 'A', data: Task, form: 'bare' } } }],
    ['a list query for POST', { method: 'POST', query: defineListQuery({ sortable: ['a'] }) }],
    ['an operationId with a space', { operationId: 'a b' }],
    ['a path without a slash', { path: 'a' }],
    ['a path with a trailing slash', { path: '/a/' }],
    ['a path with an empty segment', { path: '/a//b' }],
    ['a text after a parameter without a delimiter', { path: '/users/{id}x' }],
    ['a parameter of another style', { path: '/a/:id' }],
    ['a repeated parameter', { path: '/a/{id}/b/{id}' }],
    ['an encoded segment', { path: '/a%20b' }],
  ])('throws a TypeError: %s', (_, over) => {
    expect(() => checkRoute({ ...valid, ...over } as never)).toThrow(TypeError)
  })

  it('is returned unchanged when it is valid', () => {
    expect(checkRoute(valid)).toBe(valid)
  })
})
