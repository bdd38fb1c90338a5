import { once } from 'node:events'
import { SallyportError } from '@sallyport/errors'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { ApiContext } from '../src/api/api-context.ts'
import type { Api } from '../src/api/api-options.ts'
import type { ApiRequest } from '../src/api/api-request.ts'
import { createApi } from '../src/api/api.ts'
import { createMemoryRateLimit } from '../src/api/memory-rate-limit.ts'
import { bindRoute } from '../src/bind-route.ts'
import { defineRoute } from '../src/define-route.ts'
import { dataEnvelope } from '../src/envelope.ts'
import { createMemoryIdempotencyStore } from '../src/memory-idempotency-store.ts'
import { hosts, type Answer, type Host, type Sent } from './hosts.ts'

interface Caller {
  readonly sub: string
  readonly role: string
}

const Book = z.object({ id: z.string(), title: z.string() })
const base = { summary: 'x', access: 'public' } as const
const ping = defineRoute({
  ...base,
  method: 'GET',
  path: '/ping',
  operationId: 'ping',
  responses: { 204: { description: 'Pong' } },
})
const getClient = defineRoute({
  ...base,
  method: 'GET',
  path: '/client',
  operationId: 'getClient',
  responses: { 200: { description: 'The network of the client', data: z.string() } },
})
const getBook = defineRoute({
  ...base,
  method: 'GET',
  path: '/books/{id}',
  operationId: 'getBook',
  access: 'authenticated',
  etag: true,
  responses: { 200: { description: 'The book', data: Book } },
})
const createBook = defineRoute({
  ...base,
  method: 'POST',
  path: '/books',
  operationId: 'createBook',
  access: { roles: ['editor'] },
  idempotencyKey: true,
  body: z.strictObject({ title: z.string() }),
  responses: { 201: { description: 'The book', data: Book } },
})
const exportBooks = defineRoute({
  ...base,
  method: 'GET',
  path: '/export',
  operationId: 'exportBooks',
  responses: { 200: { description: 'The books', mediaType: 'text/csv; charset=utf-8' } },
})
const getToken = defineRoute({
  ...base,
  method: 'GET',
  path: '/token',
  operationId: 'getToken',
  rateLimit: 'strict',
  responses: { 204: { description: 'A token' } },
})
const wait = defineRoute({
  ...base,
  method: 'GET',
  path: '/wait',
  operationId: 'wait',
  responses: { 204: { description: 'Done' } },
})

/** The signals of the requests that wait. */
const waiting: AbortSignal[] = []

function authenticate({ header }: ApiRequest): Caller {
  const [, sub, role] = /^Bearer (\w+)-(\w+)$/.exec(header('authorization') ?? '') ?? []
  if (sub === undefined || role === undefined)
    throw new SallyportError('TOKEN_MISSING', 'Send a token', { headers: { 'WWW-Authenticate': 'Bearer' } })
  return { sub, role }
}

/** A fixed time makes the headers of rate limits equal. */
const now = (): number => 0

function createTestApi(): Api {
  let created = 0
  return createApi<Caller>({
    routes: [
      bindRoute(ping, () => ({ status: 204 })),
      bindRoute(getClient, (_, { clientNetwork }: ApiContext<Caller>) => ({
        status: 200,
        body: dataEnvelope(clientNetwork),
      })),
      bindRoute(getBook, ({ params }, { caller }: ApiContext<Caller>) => ({
        status: 200,
        body: dataEnvelope({ id: params.id, title: `Zürich, read by ${caller?.sub ?? ''}` }),
      })),
      bindRoute(createBook, ({ body }, { mountPath }: ApiContext<Caller>) => {
        const id = String(++created)
        return {
          status: 201,
          headers: { Location: `${mountPath}/books/${id}` },
          body: dataEnvelope({ id, title: body.title }),
        }
      }),
      bindRoute(exportBooks, () => ({
        status: 200,
        headers: { 'Content-Disposition': 'attachment; filename="books.csv"' },
        body: ReadableStream.from([Buffer.from('id,title\n'), Buffer.from('1,Ä\n')]),
      })),
      bindRoute(getToken, () => ({ status: 204 })),
      bindRoute(wait, async (_, { signal }: ApiContext<Caller>) => {
        waiting.push(signal)
        await once(signal, 'abort')
        return { status: 204 }
      }),
    ],
    authenticate,
    secrets: ['a secret of at least thirty-two bytes'],
    idempotency: createMemoryIdempotencyStore(),
    rateLimits: {
      default: createMemoryRateLimit({ name: 'default', quota: 1000, window: 60, now }),
      strict: createMemoryRateLimit({ name: 'strict', quota: 1, window: 60, now }),
    },
    bodyLimit: 200,
  })
}

const reader = { authorization: 'Bearer ada-reader' }
const editor = { authorization: 'Bearer ada-editor' }
const json = { 'content-type': 'application/json' }
const book = { method: 'POST', path: '/api/books', headers: { ...editor, ...json }, body: '{"title":"Ä"}' }
const keyed = { ...book, headers: { ...book.headers, 'idempotency-key': 'a-key' } }
const code = (value: string) => new RegExp(`^{"error":{"code":"${value}"`)

interface Case {
  readonly does: string
  /** Requests; the expectation applies to the response to the last one. */
  readonly sent: readonly Sent[]
  readonly status: number
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: string | RegExp
}

const cases: readonly Case[] = [
  { does: 'answers without a body', sent: [{ path: '/api/ping' }], status: 204, body: '' },
  {
    does: 'passes the address of the client',
    sent: [{ path: '/api/client' }],
    status: 200,
    body: '{"data":"127.0.0.1"}',
  },
  {
    does: 'answers an authenticated request with an ETag',
    sent: [{ path: '/api/books/7', headers: reader }],
    status: 200,
    headers: { etag: expect.stringMatching(/^W?\/?"/), 'content-type': 'application/json; charset=utf-8' },
    body: '{"data":{"id":"7","title":"Zürich, read by ada"}}',
  },
  {
    does: 'decodes parameters once',
    sent: [{ path: '/api/books/a%2Fb%2520c', headers: reader }],
    status: 200,
    body: /"id":"a\/b%20c"/,
  },
  {
    does: 'keeps a long parameter',
    sent: [{ path: `/api/books/${'x'.repeat(300)}`, headers: reader }],
    status: 200,
    body: /x{300}/,
  },
  {
    does: 'creates a resource below the mount path',
    sent: [book],
    status: 201,
    headers: { location: '/api/books/1' },
    body: /"title":"Ä"/,
  },
  { does: 'reads a chunked body', sent: [{ ...book, chunked: true }], status: 201 },
  {
    does: 'streams a response',
    sent: [{ path: '/api/export' }],
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="books.csv"',
    },
    body: 'id,title\n1,Ä\n',
  },
  {
    does: 'answers HEAD without a body',
    sent: [{ method: 'HEAD', path: '/api/books/7', headers: reader }],
    status: 200,
    headers: { etag: expect.any(String) },
    body: '',
  },
  {
    does: 'answers HEAD of a stream without a body',
    sent: [{ method: 'HEAD', path: '/api/export' }],
    status: 200,
    body: '',
  },
  {
    does: 'answers HEAD of an unknown path without a body',
    sent: [{ method: 'HEAD', path: '/api/nope' }],
    status: 404,
    body: '',
  },
  {
    does: 'answers OPTIONS with Allow',
    sent: [{ method: 'OPTIONS', path: '/api/books/7' }],
    status: 204,
    headers: { allow: 'GET, HEAD, OPTIONS' },
    body: '',
  },
  {
    does: 'rejects a missing token',
    sent: [{ path: '/api/books/7' }],
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: code('TOKEN_MISSING'),
  },
  {
    does: 'rejects a missing token before it reads the body',
    sent: [{ ...book, headers: json, body: 'x'.repeat(300) }],
    status: 401,
  },
  {
    does: 'rejects a missing role',
    sent: [{ ...book, headers: { ...reader, ...json } }],
    status: 403,
    body: code('FORBIDDEN'),
  },
  { does: 'rejects an unknown path', sent: [{ path: '/api/nope' }], status: 404, body: code('NOT_FOUND') },
  { does: 'answers the mount path', sent: [{ path: '/api' }], status: 404, body: code('NOT_FOUND') },
  {
    does: 'answers the mount path with a query',
    sent: [{ path: '/api?a=1' }],
    status: 404,
    body: code('NOT_FOUND'),
  },
  {
    does: 'answers the mount path with a slash',
    sent: [{ path: '/api/' }],
    status: 404,
    body: code('NOT_FOUND'),
  },
  {
    does: 'rejects a path with a trailing slash',
    sent: [{ path: '/api/ping/' }],
    status: 404,
    body: code('NOT_FOUND'),
  },
  {
    does: 'rejects a path with an empty segment',
    sent: [{ path: '/api//ping' }],
    status: 404,
    body: code('NOT_FOUND'),
  },
  {
    does: 'rejects an unknown method with Allow',
    sent: [{ method: 'DELETE', path: '/api/books/7', headers: reader }],
    status: 405,
    headers: { allow: 'GET, HEAD, OPTIONS' },
    body: code('METHOD_NOT_ALLOWED'),
  },
  {
    does: 'rejects a body with an unknown method',
    sent: [{ ...book, method: 'PUT' }],
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  },
  {
    does: 'rejects an unavailable media type',
    sent: [{ path: '/api/export', headers: { accept: 'application/json' } }],
    status: 406,
    body: code('NOT_ACCEPTABLE'),
  },
  {
    does: 'answers an error as problem+json',
    sent: [{ path: '/api/nope', headers: { accept: 'application/problem+json' } }],
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
  },
  {
    does: 'rejects a body over the limit',
    sent: [{ ...book, body: `{"title":"${'x'.repeat(300)}"}` }],
    status: 413,
    body: code('PAYLOAD_TOO_LARGE'),
  },
  {
    does: 'rejects a chunked body over the limit',
    sent: [{ ...book, chunked: true, body: `{"title":"${'x'.repeat(300)}"}` }],
    status: 413,
    body: code('PAYLOAD_TOO_LARGE'),
  },
  {
    does: 'answers the next request after a large body',
    sent: [{ ...book, body: 'x'.repeat(100_000) }, { path: '/api/ping' }],
    status: 204,
  },
  {
    does: 'rejects another type of body',
    sent: [{ ...book, headers: { ...editor, 'content-type': 'text/plain' } }],
    status: 415,
    body: code('UNSUPPORTED_MEDIA_TYPE'),
  },
  {
    does: 'rejects a malformed type of body',
    sent: [{ ...book, headers: { ...editor, 'content-type': 'json' } }],
    status: 415,
    body: code('UNSUPPORTED_MEDIA_TYPE'),
  },
  {
    does: 'rejects a body that is not JSON',
    sent: [{ ...book, body: '{' }],
    status: 400,
    body: code('INVALID_JSON'),
  },
  {
    does: 'rejects duplicate fields of a body',
    sent: [{ ...book, body: '{"title":"A","title":"B"}' }],
    status: 400,
    body: code('INVALID_JSON'),
  },
  {
    does: 'rejects an invalid body',
    sent: [{ ...book, body: '{"title":1}' }],
    status: 400,
    body: code('VALIDATION_ERROR'),
  },
  {
    does: 'rejects a missing body',
    sent: [{ method: 'POST', path: '/api/books', headers: editor }],
    status: 400,
  },
  {
    does: 'rejects a request over the rate limit',
    sent: [{ path: '/api/token' }, { path: '/api/token' }],
    status: 429,
    headers: { 'retry-after': '60' },
    body: code('RATE_LIMITED'),
  },
  {
    does: 'replays the response for an Idempotency-Key',
    sent: [keyed, keyed],
    status: 201,
    headers: { 'idempotent-replayed': 'true', location: '/api/books/3' },
  },
  {
    does: 'rejects another body for an Idempotency-Key',
    sent: [keyed, { ...keyed, body: '{"title":"B"}' }],
    status: 422,
  },
  {
    does: 'returns the X-Request-Id',
    sent: [{ path: '/api/ping', headers: { 'x-request-id': 'given-1' } }],
    status: 204,
    headers: { 'x-request-id': 'given-1' },
  },
]

const withId = (sent: Sent): Sent => ({ ...sent, headers: { 'x-request-id': 'id', ...sent.headers } })

describe.each(Object.entries(hosts))('an API on %s', (_, open) => {
  let host: Host
  let reference: Host
  beforeAll(async () => {
    host = await open(createTestApi())
    reference = await hosts['node:http']!(createTestApi())
  })
  afterAll(async () => {
    await host.close()
    await reference.close()
  })

  it.each(cases)('$does', async ({ sent, status, headers = {}, body }) => {
    let answer: Answer | undefined
    let expected: Answer | undefined
    for (const one of sent) {
      answer = await host.send(withId(one))
      expected = await reference.send(withId(one))
    }
    expect(answer).toMatchObject({
      status,
      headers,
      ...(body !== undefined && { body: expect.stringMatching(body) as string }),
    })
    expect(answer).toEqual(expected)
  })

  it('answers 304 for a matching If-None-Match', async () => {
    const first = await host.send({ path: '/api/books/7', headers: reader })
    const { etag = '' } = first.headers
    const second = await host.send({ path: '/api/books/7', headers: { ...reader, 'if-none-match': etag } })
    expect(second).toMatchObject({ status: 304, headers: { etag }, body: '' })
    expect(second.headers).not.toHaveProperty('content-type')
  })

  it.each([undefined, 'not a safe id'])('generates an X-Request-Id in place of %s', async (given) => {
    const { headers } = await host.send({
      path: '/api/ping',
      headers: given === undefined ? {} : { 'x-request-id': given },
    })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  })
})

// A client of app.inject cannot disconnect.
const connectedHosts = Object.entries(hosts).filter(([name]) => name !== 'Fastify with app.inject')
it.each(connectedHosts)('aborts the signal when the client disconnects from %s', async (_, open) => {
  const host = await open(createTestApi())
  const controller = new AbortController()
  const before = waiting.length
  const answered = host.send({ path: '/api/wait', signal: controller.signal }).catch(() => undefined)
  await vi.waitFor(() => {
    expect(waiting.length).toBe(before + 1)
  })
  controller.abort()
  await vi.waitFor(() => {
    expect(waiting.at(-1)?.aborted).toBe(true)
  })
  await answered
  await host.close()
})
