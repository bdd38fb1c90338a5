import { SallyportError } from '@sallyport/errors'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { checkPreconditions } from '../conditional.ts'
import { defineListQuery } from '../define-list-query.ts'
import { dataEnvelope } from '../envelope.ts'
import { createMemoryIdempotencyStore } from '../memory-idempotency-store.ts'
import { createRouteGroup } from '../route-group.ts'
import type { ApiEvent, ApiOptions } from './api-options.ts'
import type { ApiRequest } from './api-request.ts'
import { createApi } from './api.ts'

interface Caller {
  readonly sub: string
  readonly role: string
}
type Options = Partial<ApiOptions<Caller, object>>

const group = createRouteGroup<Caller>()

const Book = z.object({ id: z.string(), title: z.string() })
const base = { operationId: 'x', summary: 'x', access: 'public' } as const

const createBook = {
  ...base,
  operationId: 'createBook',
  access: { roles: ['editor'] },
  idempotencyKey: true,
  body: z.strictObject({ title: z.string() }),
  responses: { 201: { description: 'The book', data: Book } },
} as const
const ping = { ...base, operationId: 'ping', responses: { 204: { description: 'Pong' } } } as const

const authenticate = ({ header }: ApiRequest): Caller => {
  const [sub, role] = header('authorization')?.split(' ') ?? []
  if (sub === undefined || role === undefined) throw new SallyportError('TOKEN_MISSING', 'Send a token')
  return { sub, role }
}

let created = 0
const routes = [
  group.get(
    '/books/{id}',
    {
      ...base,
      operationId: 'getBook',
      access: 'authenticated',
      etag: true,
      responses: { 200: { description: 'The book', data: Book } },
    },
    ({ params }, { caller }) => ({
      status: 200,
      body: dataEnvelope({ id: params.id, title: `Read by ${caller.sub}` }),
    }),
  ),
  group.post(
    '/books',
    {
      ...base,
      operationId: 'createBook',
      access: { roles: ['editor'] },
      idempotencyKey: true,
      body: z.strictObject({ title: z.string() }),
      responses: { 201: { description: 'The book', data: Book } },
    },
    ({ body }) => ({
      status: 201,
      body: dataEnvelope({ id: String(++created), title: body.title }),
    }),
  ),
  group.get(
    '/ping',
    {
      ...base,
      operationId: 'ping',
      responses: { 204: { description: 'Pong' } },
    },
    () => ({ status: 204 }),
  ),
  group.get(
    '/export',
    {
      ...base,
      operationId: 'exportBooks',
      responses: { 200: { description: 'The books', mediaType: 'text/csv; charset=utf-8' } },
    },
    () => ({ status: 200, body: 'id,title\n' }),
  ),
  group.get(
    '/page',
    {
      ...base,
      operationId: 'getPage',
      responses: { 200: { description: 'A page', mediaType: 'text/html; charset=utf-8' } },
    },
    () => ({
      status: 200,
      headers: { ETag: '"page"', 'Content-Security-Policy': "default-src 'none'" },
      body: '<!doctype html>',
    }),
  ),
]
const ports = {
  authenticate,
  secrets: ['a secret of at least thirty-two bytes'],
  idempotency: createMemoryIdempotencyStore(),
}

function request(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): ApiRequest {
  const bytes = new TextEncoder().encode(body)
  return {
    method,
    path,
    query: '',
    mountPath: '',
    header: (name) =>
      ({ ...(body !== undefined && { 'content-type': 'application/json' }), ...headers })[name],
    hasBody: body !== undefined,
    streamBody: () => new ReadableStream(),
    readBody: (limit, createError) =>
      bytes.length > limit ? Promise.reject(createError()) : Promise.resolve(bytes),
    clientAddress: '192.0.2.1',
    requestId: 'request-1',
    signal: undefined,
    raw: undefined,
  }
}
const reader = { authorization: 'ada reader' }
const editor = { authorization: 'ada editor' }
const createTestApi = (options: Options = {}) => createApi<Caller>({ routes, ...ports, ...options })

describe('an API enforces', () => {
  const api = createTestApi({ bodyLimit: 100 })
  const book = { body: '{"title":"A"}' }
  it.each([
    ['an unknown path', request('GET', '/nope'), 404, 'NOT_FOUND'],
    ['an unknown method', request('DELETE', '/ping'), 405, 'METHOD_NOT_ALLOWED'],
    ['authentication', request('GET', '/books/1'), 401, 'TOKEN_MISSING'],
    ['a role', request('POST', '/books', { ...book, headers: reader }), 403, 'FORBIDDEN'],
    [
      'Accept',
      request('GET', '/books/1', { headers: { ...reader, accept: 'text/html' } }),
      406,
      'NOT_ACCEPTABLE',
    ],
    [
      'another media type',
      request('GET', '/export', { headers: { accept: 'application/json' } }),
      406,
      'NOT_ACCEPTABLE',
    ],
    [
      'the type of a body',
      request('POST', '/books', { ...book, headers: { ...editor, 'content-type': 'text/plain' } }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'the size of a body',
      request('POST', '/books', { body: `"${'x'.repeat(100)}"`, headers: editor }),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'unambiguous JSON',
      request('POST', '/books', { body: '{"title":"A","title":"B"}', headers: editor }),
      400,
      'INVALID_JSON',
    ],
    [
      'the schema of a body',
      request('POST', '/books', { body: '{"title":1}', headers: editor }),
      400,
      'VALIDATION_ERROR',
    ],
    [
      'the form of a key',
      request('POST', '/books', { ...book, headers: { ...editor, 'idempotency-key': ' ' } }),
      400,
      'VALIDATION_ERROR',
    ],
  ])('%s', async (_, sent, status, code) => {
    const response = await api.handle(sent)
    expect(response).toMatchObject({
      status,
      headers: { 'X-Request-Id': 'request-1', RateLimit: expect.any(String) as string },
    })
    expect(JSON.parse(response.body as string)).toMatchObject({ error: { code } })
  })
})

describe('an API answers', () => {
  const api = createTestApi()
  it('with the envelope, the security headers and no-store', async () => {
    const response = await api.handle(request('POST', '/books', { body: '{"title":"A"}', headers: editor }))
    expect(response).toMatchObject({
      status: 201,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      },
    })
  })

  it('OPTIONS with Allow', async () => {
    const response = await api.handle(request('OPTIONS', '/books'))
    expect(response).toMatchObject({ status: 204, headers: { Allow: 'POST, OPTIONS' }, body: null })
  })

  it('304 for a matching If-None-Match', async () => {
    const first = await api.handle(request('GET', '/books/1', { headers: reader }))
    const { ETag: etag = '' } = first.headers
    const headers = { ...reader, 'if-none-match': etag }
    const second = await api.handle(request('GET', '/books/1', { headers }))
    expect(second).toMatchObject({ status: 304, headers: { ETag: etag }, body: null })
    expect(second.headers['Content-Type']).toBeUndefined()
    expect((await api.handle(request('GET', '/books/2', { headers }))).status).toBe(200)
  })

  it('304 with the content security policy of the page', async () => {
    const first = await api.handle(request('GET', '/page'))
    const headers = { 'if-none-match': first.headers['ETag'] ?? '' }
    const second = await api.handle(request('GET', '/page', { headers }))
    expect(second.status).toBe(304)
    expect(second.headers['Content-Security-Policy']).toBe("default-src 'none'")
    expect(second.headers['Content-Type']).toBeUndefined()
  })

  it('another media type unchanged', async () => {
    const response = await api.handle(request('GET', '/export', { headers: { accept: 'text/csv' } }))
    expect(response).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'text/csv; charset=utf-8' },
      body: 'id,title\n',
    })
  })

  it('a repeated Idempotency-Key with the first response, also for an error', async () => {
    const headers = { ...editor, 'idempotency-key': 'a1' }
    const sent = () => api.handle(request('POST', '/books', { body: '{"title":"A"}', headers }))
    const [first, second] = [await sent(), await sent()]
    expect(second.body).toBe(first.body)
    expect(first.headers['Idempotent-Replayed']).toBeUndefined()
    expect(second.headers['Idempotent-Replayed']).toBe('true')
    const other = request('POST', '/books', { body: '{"title":"B"}', headers })
    expect((await api.handle(other)).status).toBe(422)
    const bob = { authorization: 'bob editor', 'idempotency-key': 'a1' }
    expect(
      (await api.handle(request('POST', '/books', { body: '{"title":"B"}', headers: bob }))).status,
    ).toBe(201)
  })

  it.each([undefined, null])('401 when authenticate returns %s', async (none) => {
    const open = createTestApi({ authenticate: () => Promise.resolve(none as unknown as Caller) })
    const response = await open.handle(request('GET', '/books/1'))
    expect(response).toMatchObject({ status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="api"' } })
  })

  it('429 over the quota of a caller, and of a network without a caller', async () => {
    const limited = createTestApi({ rateLimits: { default: { quota: 1, window: 60 } } })
    const status = async (headers: Record<string, string>) =>
      (await limited.handle(request('GET', '/books/1', { headers }))).status
    expect([await status(reader), await status(reader)]).toEqual([200, 429])
    expect(await status({ authorization: 'bob reader' })).toBe(200)
    expect([await status({}), await status({})]).toEqual([401, 429])
  })

  it('503 after the timeout, and aborts the signal', async () => {
    let aborted = false
    const hang = group.get(
      '/ping',
      {
        ...base,
        operationId: 'ping',
        responses: { 204: { description: 'Pong' } },
      },
      (_, { signal }) => {
        return new Promise<{ status: 204 }>(() => {
          signal.addEventListener('abort', () => (aborted = true))
        })
      },
    )
    const slow = createTestApi({ routes: [hang], timeoutMs: 20 })
    expect(await slow.handle(request('GET', '/ping'))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
    })
    expect(aborted).toBe(true)
  })

  it('500 without details for an unexpected error, and reports the error', async () => {
    const failure = new Error('secret')
    const onError = vi.fn()
    const failing = group.get(
      '/ping',
      {
        ...base,
        operationId: 'ping',
        responses: { 204: { description: 'Pong' } },
      },
      () => {
        throw failure
      },
    )
    const response = await createTestApi({ routes: [failing], onError }).handle(request('GET', '/ping'))
    expect(response.status).toBe(500)
    expect(response.body).not.toContain('secret')
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      failure,
      expect.objectContaining({ requestId: 'request-1' }),
    )
  })
})

describe('an error of a handler', () => {
  const getter = {
    get status(): number {
      throw new Error('secret')
    },
  }
  const bigint = new SallyportError('CONFLICT', 'x', { details: [{ field: 'x', message: 1n as never }] })
  const header = new SallyportError('CONFLICT', 'x', { headers: { 'X-Name': 'a\nb' } })
  const thrownValues: readonly [name: string, thrown: unknown][] = [
    ['null', null],
    ['undefined', undefined],
    ['text', 'secret'],
    ['a symbol', Symbol('secret')],
    ['an object', {}],
    ['an object whose status throws', getter],
    ['details that JSON cannot have', bigint],
    ['a header that HTTP cannot have', header],
  ]
  it.each(thrownValues)('is 500 for %s', async (_, thrown) => {
    const onError = vi.fn()
    const failing = group.get(
      '/ping',
      {
        ...base,
        operationId: 'ping',
        responses: { 204: { description: 'Pong' } },
      },
      () => {
        throw thrown
      },
    )
    const response = await createTestApi({ routes: [failing], onError }).handle(request('GET', '/ping'))
    expect(response).toMatchObject({ status: 500, headers: { 'X-Request-Id': 'request-1' } })
    expect(response.body).not.toContain('secret')
    expect(onError).toHaveBeenCalledOnce()
  })

  it.each([100, 199, 600, 204.5])('is 500 for the status %d of a result', async (status) => {
    const wrong = {
      ...group.get('/ping', ping, () => ({ status: 204 })),
      handler: () => Promise.resolve({ status }),
    }
    expect((await createTestApi({ routes: [wrong] }).handle(request('GET', '/ping'))).status).toBe(500)
  })
})

describe('the preconditions of a change', () => {
  const declared = { ...base, etag: true, responses: { 204: {} } } as const
  const ignoring = group.put('/books/{id}', declared, () => ({ status: 204 }))
  const checking = group.put('/books/{id}', declared, (_, { conditions }) => {
    checkPreconditions({ ...conditions, etag: '"1"' })
    return { status: 204 }
  })
  const send = async (binding: typeof ignoring, headers: Record<string, string>) => {
    const onError = vi.fn()
    const api = createTestApi({ routes: [binding], onError })
    return { ...(await api.handle(request('PUT', '/books/1', { headers }))), onError }
  }

  it.each(['if-match', 'if-none-match'])('are 500 if the handler ignores %s', async (name) => {
    const { status, onError } = await send(ignoring, { [name]: '"2"' })
    expect(status).toBe(500)
    expect(onError).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringContaining('call requireCurrent') as string }),
      expect.anything(),
    )
  })

  it('are checked by the handler', async () => {
    expect((await send(checking, { 'if-match': '"1"' })).status).toBe(204)
    expect((await send(checking, { 'if-match': '"2"' })).status).toBe(412)
    expect((await send(checking, { 'if-none-match': '*' })).status).toBe(412)
    expect((await send(ignoring, {})).status).toBe(204)
  })
})

it('answers 422 to an Idempotency-Key with another query or another declared header', async () => {
  const binding = group.post(
    '/books',
    { ...createBook, query: z.object({ shelf: z.string() }), headers: { 'X-Tenant': z.string() } },
    ({ query, headers }) => ({
      status: 201,
      body: dataEnvelope({ id: query.shelf, title: headers['X-Tenant'] }),
    }),
  )
  const api = createTestApi({ routes: [binding], idempotency: createMemoryIdempotencyStore() })
  const send = async (shelf: string, tenant: string) => {
    const headers = { ...editor, 'idempotency-key': 'a1', 'x-tenant': tenant }
    const sent = request('POST', '/books', { body: '{"title":"A"}', headers })
    return (await api.handle({ ...sent, query: `?shelf=${shelf}` })).status
  }
  expect([await send('a', 't'), await send('a', 't')]).toEqual([201, 201])
  expect([await send('b', 't'), await send('a', 'u')]).toEqual([422, 422])
})

// Regression: the replay had the form that the first request accepted.
it('replays an error in the form that the client accepts', async () => {
  const missing = group.post('/books', createBook, () => {
    throw new SallyportError('NOT_FOUND', `No shelf ${++created}`)
  })
  const api = createTestApi({ routes: [missing], idempotency: createMemoryIdempotencyStore() })
  const send = (accept: string) => {
    const headers = { ...editor, accept, 'idempotency-key': 'a1' }
    return api.handle(request('POST', '/books', { body: '{"title":"A"}', headers }))
  }
  const first = await send('application/json')
  expect(first.status).toBe(404)
  expect((await send('application/json')).body).toBe(first.body)
  const problem = await send('application/problem+json')
  expect(problem.headers['Content-Type']).toBe('application/problem+json')
  expect(JSON.parse(problem.body as string)).toMatchObject({
    code: 'NOT_FOUND',
    detail: `No shelf ${created}`,
  })
})

describe('CORS', () => {
  const cors = { origins: ['https://app.example.com'], credentials: true }
  const api = createTestApi({ cors })
  const origin = 'https://app.example.com'
  it('answers a preflight with the methods of the path', async () => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    expect((await api.handle(request('OPTIONS', '/books', { headers }))).headers).toMatchObject({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Allow-Methods': 'POST, OPTIONS',
      Vary: 'Origin',
    })
  })

  it('allows errors to be read, and merges Vary', async () => {
    const { headers } = await api.handle(request('GET', '/books/1', { headers: { origin } }))
    expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': origin, Vary: 'Accept, Origin' })
    expect(headers['Access-Control-Expose-Headers']).toContain('ETag')
  })

  it('allows the headers that routes declare, and further ones', async () => {
    const binding = group.get(
      '/ping',
      {
        ...ping,
        headers: { 'X-Tenant': z.string(), 'if-match': z.string().optional() },
        responses: { 204: { headers: { 'X-Total': 'The number of books' } } },
      },
      () => ({ status: 204, headers: { 'X-Total': '1' } }),
    )
    const own = createTestApi({ routes: [binding], cors: { ...cors, headers: ['X-Api-Key'] } })
    const preflight = { origin, 'access-control-request-method': 'GET' }
    const { headers } = await own.handle(request('OPTIONS', '/ping', { headers: preflight }))
    const names = headers['Access-Control-Allow-Headers']?.toLowerCase().split(', ') ?? []
    expect(names).toEqual(expect.arrayContaining(['authorization', 'x-tenant', 'x-api-key']))
    expect(names.filter((name) => name === 'if-match')).toHaveLength(1)
    const sent = { origin, 'x-tenant': 'a' }
    const response = await own.handle(request('GET', '/ping', { headers: sent }))
    expect(response.headers['Access-Control-Expose-Headers']).toContain('X-Total')
  })

  it('allows no other origin', async () => {
    const { headers } = await api.handle(
      request('GET', '/ping', { headers: { origin: 'https://app.example.com.evil.example' } }),
    )
    expect(headers['Access-Control-Allow-Origin']).toBeUndefined()
    expect(headers['Vary']).toBe('Origin')
  })

  it.each(['capacitor://localhost', 'app://.', 'chrome-extension://abcdefghijklmnop', 'http://[::1]:5173'])(
    'allows the origin %s',
    async (app) => {
      const { handle } = createTestApi({ cors: { origins: [app] } })
      const { headers } = await handle(request('GET', '/ping', { headers: { origin: app } }))
      expect(headers['Access-Control-Allow-Origin']).toBe(app)
    },
  )

  it.each([
    { origins: '*', credentials: true } as const,
    { origins: ['app.example.com'] },
    { origins: ['https://app.example.com/'] },
    { origins: ['*'] },
    { origins: ['null'] },
    { origins: ['https://*.app.example.com'] },
    { origins: ['capacitor://localhost/'] },
    { origins: ['capacitor://user@localhost'] },
    { origins: ['file://'] },
  ])('rejects %j', (wrong) => {
    expect(() => createTestApi({ cors: wrong })).toThrow(TypeError)
  })
})

describe('a handler', () => {
  it('receives the dependencies of the request', async () => {
    const bound = createRouteGroup<Caller, { db: string }>().get(
      '/export',
      {
        ...base,
        operationId: 'exportBooks',
        responses: { 200: { description: 'The books', mediaType: 'text/csv; charset=utf-8' } },
      },
      (_, { db, clientNetwork }) => ({
        status: 200,
        body: `${db} ${clientNetwork}`,
      }),
    )
    const api = createApi<Caller, { db: string }>({
      ...ports,
      routes: [bound],
      context: ({ requestId }) => Promise.resolve({ db: `db for ${requestId}` }),
    })
    expect((await api.handle(request('GET', '/export'))).body).toBe('db for request-1 192.0.2.1')
  })

  it('can run a task after the response, which close awaits', async () => {
    const done: string[] = []
    const onError = vi.fn()
    const bound = group.get(
      '/ping',
      {
        ...base,
        operationId: 'ping',
        responses: { 204: { description: 'Pong' } },
      },
      (_, { runAfter }) => {
        runAfter(() => done.push('task'))
        runAfter(() => Promise.reject(new Error('failed')))
        return { status: 204 }
      },
    )
    const api = createTestApi({ routes: [bound], onError })
    expect((await api.handle(request('GET', '/ping'))).status).toBe(204)
    expect(done).toEqual([])
    await api.close()
    expect(done).toEqual(['task'])
    expect(onError).toHaveBeenCalledOnce()
  })

  it('can identify the caller of a public route', async () => {
    const bound = group.get(
      '/export',
      {
        ...base,
        operationId: 'exportBooks',
        responses: { 200: { description: 'The books', mediaType: 'text/csv; charset=utf-8' } },
      },
      async (_, { identify }) => ({
        status: 200,
        body: (await identify())?.sub ?? 'anonymous',
      }),
    )
    const api = createTestApi({ routes: [bound] })
    expect((await api.handle(request('GET', '/export'))).body).toBe('anonymous')
    expect((await api.handle(request('GET', '/export', { headers: reader }))).body).toBe('ada')
  })
})

it('reports every response with its route, caller and error', async () => {
  const events: ApiEvent<Caller>[] = []
  const api = createTestApi({
    onResponse: (event) => {
      events.push(event)
      throw new Error('a hook must not break a response')
    },
  })
  await api.handle(request('GET', '/books/1', { headers: reader }))
  await api.handle(request('GET', '/books/1'))
  await api.handle(request('GET', '/nope'))
  expect(events).toMatchObject([
    { route: { operationId: 'getBook' }, caller: { sub: 'ada' }, status: 200, error: undefined },
    { route: { operationId: 'getBook' }, caller: undefined, status: 401, error: { code: 'TOKEN_MISSING' } },
    { route: undefined, status: 404, error: { code: 'NOT_FOUND' } },
  ])
})

describe('the start fails for', () => {
  const listBooks = group.get(
    '/books',
    {
      ...base,
      query: defineListQuery({ sortable: { title: {} } }),
      responses: { 200: { description: 'The books', list: Book } },
    },
    () => {
      throw new Error('unused')
    },
  )
  const publicKey = group.post('/books', { ...createBook, access: 'public' }, () => {
    throw new Error('unused')
  })
  const limited = group.get('/ping', { ...ping, rateLimit: 'strict' }, () => ({ status: 204 }))
  it.each<[string, ApiOptions<Caller, object>, RegExp]>([
    ['a route that is not public', { routes }, /getBook is not public: set authenticate/],
    ['cursor pages without secrets', { routes: [listBooks] }, /cursor pages: set secrets/],
    ['an idempotency key without a store', { routes, authenticate }, /idempotency key: set idempotency/],
    ['an idempotency key without a caller', { ...ports, routes: [publicKey] }, /needs a caller/],
    ['a store without secrets', { routes, authenticate, idempotency: ports.idempotency }, /needs secrets/],
    ['a short secret', { ...ports, routes, secrets: ['short'] }, /at least 32 bytes/],
    ['an unknown rate limit', { routes: [limited] }, /"strict": add it to rateLimits/],
    ['a body limit of 0', { ...ports, routes, bodyLimit: 0 }, /bodyLimit/],
  ])('%s', (_, options, message) => {
    expect(() => createApi(options)).toThrow(message)
  })
})

it('passes the route to authenticate and sends the headers that authenticate sets', async () => {
  const route = { ...ping, access: { roles: ['admin'] } } as const
  const api = createApi<Caller>({
    routes: [group.get('/ping', route, () => ({ status: 204 }))],
    authenticate: ({ header }, { route: { path }, setHeader }) => {
      setHeader('Set-Cookie', `seen=${path}`)
      return { sub: 'ann', role: header('x-role') ?? 'user' }
    },
  })
  for (const [role, status] of [['admin', 204] as const, ['user', 403] as const]) {
    const response = await api.handle(request('GET', '/ping', { headers: { 'x-role': role } }))
    expect(response.status).toBe(status)
    expect(response.cookies).toEqual(['seen=/ping'])
  }
})
