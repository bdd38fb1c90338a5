import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SallyportError } from '@sallyport/errors'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Api } from '../src/api/api-options.ts'
import type { ApiRequest } from '../src/api/api-request.ts'
import { createApi } from '../src/api/api.ts'
import { streamBody } from '../src/api/request-body.ts'
import { createMemoryRateLimit } from '../src/api/memory-rate-limit.ts'
import { answerDownload } from '../src/download/index.ts'
import { dataEnvelope } from '../src/envelope.ts'
import { createMemoryIdempotencyStore } from '../src/memory-idempotency-store.ts'
import { multipartBody } from '../src/multipart/index.ts'
import { createRouteGroup } from '../src/route-group.ts'
import { hosts, type Answer, type Host, type Sent } from './hosts.ts'

const route = createRouteGroup<Caller>({ access: 'public' })

interface Caller {
  readonly sub: string
  readonly role: string
}

const Book = z.object({ id: z.string(), title: z.string() })

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
      route.get(
        '/ping',
        {
          operationId: 'ping',
          responses: { 204: { description: 'Pong' } },
        },
        () => ({ status: 204 }),
      ),
      route.get(
        '/client',
        {
          operationId: 'getClient',
          responses: { 200: { description: 'The network of the client', data: z.string() } },
        },
        (_, { clientNetwork }) => ({
          status: 200,
          body: dataEnvelope(clientNetwork),
        }),
      ),
      route.get(
        '/books/{id}',
        {
          operationId: 'getBook',
          access: 'authenticated',
          etag: true,
          responses: { 200: { description: 'The book', data: Book } },
        },
        ({ params }, { caller }) => ({
          status: 200,
          body: dataEnvelope({ id: params.id, title: `Zürich, read by ${caller?.sub ?? ''}` }),
        }),
      ),
      route.post(
        '/books',
        {
          operationId: 'createBook',
          access: { roles: ['editor'] },
          idempotencyKey: true,
          body: z.strictObject({ title: z.string() }),
          responses: { 201: { description: 'The book', data: Book } },
        },
        ({ body }, { mountPath }) => {
          const id = String(++created)
          return {
            status: 201,
            headers: { Location: `${mountPath}/books/${id}` },
            body: dataEnvelope({ id, title: body.title }),
          }
        },
      ),
      route.get(
        '/export',
        {
          operationId: 'exportBooks',
          responses: { 200: { description: 'The books', mediaType: 'text/csv; charset=utf-8' } },
        },
        () => ({
          status: 200,
          headers: { 'Content-Disposition': 'attachment; filename="books.csv"' },
          body: ReadableStream.from([Buffer.from('id,title\n'), Buffer.from('1,Ä\n')]),
        }),
      ),
      route.get(
        '/token',
        {
          operationId: 'getToken',
          rateLimit: 'strict',
          responses: { 204: { description: 'A token' } },
        },
        () => ({ status: 204 }),
      ),
      route.get(
        '/search/{page}',
        {
          operationId: 'search',
          params: z.object({ page: z.coerce.number().int() }),
          query: z.object({ q: z.string().max(9) }),
          headers: { 'X-Tenant': z.string().max(20) },
          cookies: { theme: z.enum(['dark', 'light']).optional() },
          responses: { 200: { description: 'The parameters', body: z.array(z.unknown()) } },
        },
        ({ params, query, headers, cookies }) => ({
          status: 200,
          body: [params.page, query.q, headers['X-Tenant'], cookies.theme],
        }),
      ),
      route.post(
        '/albums',
        {
          operationId: 'createAlbum',
          body: multipartBody(
            z.strictObject({ title: z.string().max(9), photos: z.array(z.file().max(20)).max(2) }),
            { limit: 1000, maxParts: 3, arrays: ['photos'] },
          ),
          responses: { 200: { description: 'The album', body: z.array(z.unknown()) } },
        },
        async ({ body: { title, photos } }) => ({
          status: 200,
          body: [
            title,
            ...(await Promise.all(photos.map(async (one) => [one.name, one.type, await one.text()]))),
          ],
        }),
      ),
      route.put(
        '/backup',
        {
          operationId: 'putBackup',
          body: streamBody({ limit: 300 }),
          responses: { 200: { description: 'The backup', body: z.string() } },
        },
        async ({ body }) => ({ status: 200, body: await text(body) }),
      ),
      route.post(
        '/backup',
        {
          operationId: 'ignoreBackup',
          body: streamBody({ limit: 300 }),
          responses: { 204: { description: 'Ignored' } },
        },
        () => ({ status: 204 }),
      ),
      route.get(
        '/manual',
        {
          operationId: 'getManual',
          etag: true,
          responses: {
            200: { description: 'The manual', mediaType: 'application/pdf' },
            206: { description: 'A part of the manual', mediaType: 'application/pdf' },
          },
          errors: ['RANGE_NOT_SATISFIABLE'],
        },
        (_, context) =>
          answerDownload(context, {
            size: 10,
            etag: '"1"',
            filename: 'Ä.pdf',
            open: ({ start, end }) => ReadableStream.from([Buffer.from('0123456789'.slice(start, end + 1))]),
          }),
      ),
      route.get(
        '/names',
        {
          operationId: 'getNames',
          query: z.object({ name: z.string() }),
          responses: {
            200: { description: 'The name', data: z.string(), headers: { 'X-Name': 'The name' } },
          },
        },
        ({ query: { name } }) => ({
          status: 200,
          headers: { 'X-Name': name },
          body: dataEnvelope(name),
        }),
      ),
      route.get(
        '/wait',
        {
          operationId: 'wait',
          responses: { 204: { description: 'Done' } },
        },
        async (_, { signal }) => {
          waiting.push(signal)
          await once(signal, 'abort')
          return { status: 204 }
        },
      ),
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
    does: 'rejects a method that no route can have',
    sent: [{ method: 'PROPFIND', path: '/api/books/7', headers: reader }],
    status: 405,
    headers: { allow: 'GET, HEAD, OPTIONS' },
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
    does: 'sends a header of a handler',
    sent: [{ path: '/api/names?name=ada' }],
    status: 200,
    headers: { 'x-name': 'ada' },
  },
  {
    does: 'answers 500 for a header with a line break',
    sent: [{ path: '/api/names?name=a%0D%0AX-Admin:%201' }],
    status: 500,
    body: code('INTERNAL_ERROR'),
  },
  {
    does: 'answers 500 for a header with a character above U+00FF',
    sent: [{ path: '/api/names?name=%E2%82%AC' }],
    status: 500,
    body: code('INTERNAL_ERROR'),
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

const tenant = { 'x-tenant': 'acme' }
const parameterCases: readonly Case[] = [
  {
    does: 'passes typed parameters',
    sent: [{ path: '/api/search/7?q=%C3%A4', headers: { 'X-TENANT': 'acme', cookie: 'a=b; theme=dark' } }],
    status: 200,
    body: '[7,"ä","acme","dark"]',
  },
  {
    does: 'joins the values of a repeated header',
    sent: [{ path: '/api/search/7?q=x', headers: { 'x-tenant': ['a', 'b'] } }],
    status: 200,
    body: '[7,"x","a, b",null]',
  },
  {
    does: 'reports the problems of all parameters',
    sent: [{ path: '/api/search/x?q=0123456789&p=1', headers: { cookie: 'theme=red' } }],
    status: 400,
    body: JSON.stringify({
      error: {
        code: 'VALIDATION_ERROR',
        message: 'The request is not valid',
        details: [
          { code: 'WRONG_TYPE', field: 'page', in: 'path', message: 'Must be a number' },
          { code: 'UNKNOWN', field: 'p', in: 'query', message: 'Unknown parameter' },
          { code: 'TOO_LONG', field: 'q', in: 'query', message: 'Must be at most 9 characters' },
          { code: 'REQUIRED', field: 'X-Tenant', in: 'header', message: 'Required' },
          { code: 'NOT_ONE_OF', field: 'theme', in: 'cookie', message: 'Must be one of: dark, light' },
        ],
      },
    }),
  },
  {
    does: 'rejects a repeated query parameter',
    sent: [{ path: '/api/search/7?q=a&q=b', headers: tenant }],
    status: 400,
    body: /"DUPLICATE"/,
  },
  {
    does: 'ignores parameters without a declared query',
    sent: [{ path: '/api/ping?utm_source=x' }],
    status: 204,
  },
]

const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const file = (value: string, filename = 'a.png') =>
  part('photos', value, `; filename="${filename}"\r\nContent-Type: image/png`)
const form = (...parts: readonly string[]): Sent => ({
  method: 'POST',
  path: '/api/albums',
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
  body: `${parts.join('')}--b--\r\n`,
})
const title = part('title', 'Zürich')
const upload = (body: string, headers = {}): Sent => ({
  method: 'PUT',
  path: '/api/backup',
  headers: { 'content-type': 'application/octet-stream', ...headers },
  body,
})
const bodyCases: readonly Case[] = [
  {
    does: 'passes the fields and files of a form',
    sent: [form(title, file('one', 'Ä.png'), file('two'))],
    status: 200,
    body: '["Zürich",["Ä.png","image/png","one"],["a.png","image/png","two"]]',
  },
  {
    does: 'reads a chunked form',
    sent: [{ ...form(title), chunked: true }],
    status: 200,
    body: '["Zürich"]',
  },
  {
    does: 'omits a file that is not chosen',
    sent: [form(title, file('', ''))],
    status: 200,
    body: '["Zürich"]',
  },
  {
    does: 'reports the problems of a form',
    sent: [form(part('title', '0123456789'), file('x'.repeat(21)), part('__proto__', '1'))],
    status: 400,
    body: /"TOO_LONG","field":"title".*"TOO_LARGE","field":"photos.0".*"UNKNOWN","field":"__proto__","in":"body"/,
  },
  {
    does: 'rejects a text in place of a file',
    sent: [form(title, part('photos', 'x'))],
    status: 400,
    body: /"WRONG_TYPE","field":"photos.0"/,
  },
  {
    does: 'rejects a repeated field of a form',
    sent: [form(title, title)],
    status: 400,
    body: /"DUPLICATE"/,
  },
  {
    does: 'rejects too many parts of a form',
    sent: [form(title, file(''), file(''), file(''))],
    status: 413,
    body: code('PAYLOAD_TOO_LARGE'),
  },
  { does: 'rejects a large form', sent: [form(part('title', 'x'.repeat(1000)))], status: 413 },
  {
    does: 'rejects a large chunked form',
    sent: [{ ...form(part('title', 'x'.repeat(1000))), chunked: true }],
    status: 413,
  },
  { does: 'rejects a long name in a form', sent: [form(part('x'.repeat(256), ''))], status: 400 },
  {
    does: 'rejects a form without an end',
    sent: [{ ...form(), body: title }],
    status: 400,
    body: code('BAD_REQUEST'),
  },
  { does: 'rejects an empty form', sent: [{ ...form(), body: '' }], status: 400 },
  {
    does: 'rejects a form without a boundary',
    sent: [{ ...form(title), headers: { 'content-type': 'multipart/form-data' } }],
    status: 400,
  },
  { does: 'rejects JSON in place of a form', sent: [{ ...book, path: '/api/albums' }], status: 415 },
  {
    does: 'passes a body as a stream',
    sent: [upload('Ä'.repeat(100))],
    status: 200,
    body: `"${'Ä'.repeat(100)}"`,
  },
  {
    does: 'passes a chunked body as a stream',
    sent: [{ ...upload('x'), chunked: true }],
    status: 200,
    body: '"x"',
  },
  { does: 'passes an empty stream', sent: [upload('')], status: 200, body: '""' },
  { does: 'rejects a large stream', sent: [upload('x'.repeat(301))], status: 413 },
  {
    does: 'rejects a large chunked stream',
    sent: [{ ...upload('x'.repeat(301)), chunked: true }],
    status: 413,
  },
  { does: 'rejects another type of stream', sent: [upload('x', json)], status: 415 },
  { does: 'rejects a compressed stream', sent: [upload('x', { 'content-encoding': 'gzip' })], status: 415 },
  {
    does: 'answers although the handler ignores the stream',
    sent: [
      { ...upload('x'), method: 'POST' },
      { ...upload('x'), method: 'POST', chunked: true },
      upload('y'),
    ],
    status: 200,
    body: '"y"',
  },
]
const manual = { path: '/api/manual' }
const downloadCases: readonly Case[] = [
  {
    does: 'sends a download',
    sent: [manual],
    status: 200,
    headers: {
      'accept-ranges': 'bytes',
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="_.pdf"; filename*=UTF-8''%C3%84.pdf`,
      etag: '"1"',
    },
    body: '0123456789',
  },
  {
    does: 'sends a range of a download',
    sent: [{ ...manual, headers: { range: 'bytes=2-4', 'if-range': '"1"' } }],
    status: 206,
    headers: { 'content-range': 'bytes 2-4/10' },
    body: '234',
  },
  { does: 'answers HEAD of a download', sent: [{ ...manual, method: 'HEAD' }], status: 200, body: '' },
  {
    does: 'answers 304 for a range of a known download',
    sent: [{ ...manual, headers: { range: 'bytes=2-4', 'if-none-match': '"1"' } }],
    status: 304,
    headers: { etag: '"1"' },
    body: '',
  },
  {
    does: 'rejects a range after the end of a download',
    sent: [{ ...manual, headers: { range: 'bytes=10-' } }],
    status: 416,
    headers: { 'content-range': 'bytes */10' },
    body: code('RANGE_NOT_SATISFIABLE'),
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

  it.each([...cases, ...parameterCases, ...bodyCases, ...downloadCases])(
    '$does',
    async ({ sent, status, headers = {}, body }) => {
      let answer: Answer | undefined
      let expected: Answer | undefined
      for (const one of sent) {
        answer = await host.send(withId(one))
        expected = await reference.send(withId(one))
      }
      expect(answer).toMatchObject({
        status,
        headers,
        ...(body !== undefined && {
          body: typeof body === 'string' ? body : (expect.stringMatching(body) as string),
        }),
      })
      expect(answer).toEqual(expected)
    },
  )

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

it.each(['node:http', 'Express'])('accepts an absolute URL from a proxy on %s', async (name) => {
  const host = await hosts[name]?.(createTestApi())
  expect((await host?.send({ path: 'http://api.example.com/api/ping' }))?.status).toBe(204)
  await host?.close()
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
