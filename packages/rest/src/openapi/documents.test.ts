import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ApiRequest } from '../api/api-request.ts'
import { createApi } from '../api/api.ts'
import { defineListQuery } from '../define-list-query.ts'
import { checkRoute } from '../check-route.ts'
import { createRouteGroup } from '../route-group.ts'
import { createDocuments, type DocumentsOptions } from './documents.ts'

const group = createRouteGroup()

const Book = z
  .object({ id: z.uuid(), title: z.string().max(100), tags: z.array(z.enum(['new', 'old'])) })
  .meta({ id: 'Book', description: 'A book.' })
const listBooks = checkRoute({
  method: 'GET',
  path: '/books',
  operationId: 'listBooks',
  summary: 'List books',
  description: 'Lists `all` books.\n\n<script>alert(1)</script>',
  tags: ['books'],
  access: 'authenticated',
  query: defineListQuery({ sortable: ['title'], pagination: 'offset' }),
  responses: { 200: { description: 'A page', list: Book } },
})
const createBook = checkRoute({
  method: 'POST',
  path: '/books',
  operationId: 'createBook',
  summary: 'Create a book',
  access: 'public',
  body: z.strictObject({ title: z.string() }),
  bodyExample: { title: '"><img src=x>' },
  responses: { 201: { description: 'The book', data: Book } },
})

function createTestApi(options: Partial<DocumentsOptions> = {}, routes = [listBooks, createBook]) {
  return createApi({
    routes: routes.map((route) => ({ route, handler: () => Promise.reject(new Error('unused')) })),
    authenticate: () => Promise.reject(new Error('unused')),
    documents: createDocuments({ title: 'Books & more', version: '1.2.3', ...options }),
  })
}

const request = (path: string, mountPath = ''): ApiRequest => ({
  method: 'GET',
  path,
  query: '',
  mountPath,
  header: () => undefined,
  hasBody: false,
  readBody: () => Promise.resolve(new Uint8Array()),
  streamBody: () => new ReadableStream(),
  clientAddress: undefined,
  requestId: 'request-1',
  signal: undefined,
  raw: undefined,
})

describe('the document', () => {
  it('describes the routes at the mount path', async () => {
    const api = createTestApi()
    for (const [mountPath, url] of [
      ['', '/'],
      ['/api/v1', '/api/v1'],
    ] as const) {
      const { status, headers, body } = await api.handle(request('/openapi.json', mountPath))
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'Content-Type': 'application/json; charset=utf-8',
        ETag: expect.any(String) as string,
      })
      const document = JSON.parse(body as string) as Readonly<Record<string, object>>
      expect(document).toMatchObject({
        info: { title: 'Books & more', version: '1.2.3' },
        servers: [{ url }],
        tags: [{ name: 'books' }],
      })
      expect(Object.keys(document['paths'] ?? {})).toEqual(['/books'])
    }
  })

  it('declares the errors that every route may answer with', async () => {
    const { body } = await createTestApi().handle(request('/openapi.json'))
    const { paths } = JSON.parse(body as string) as {
      paths: Record<string, Record<string, { responses: object }>>
    }
    const statuses = Object.keys(paths['/books']?.['get']?.responses ?? {})
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '406', '429', '500', '503']))
  })

  it('answers 500 for a route that cannot be documented', async () => {
    const api = createTestApi({}, [{ ...createBook, errors: ['UNKNOWN_CODE'] }] as never)
    expect(await api.handle(request('/openapi.json'))).toMatchObject({ status: 500 })
  })

  it('is not one of the routes of the API', () => {
    expect(createTestApi().routes).toEqual([listBooks, createBook])
  })
})

describe('the page', async () => {
  const { headers, body } = await createTestApi().handle(request('/docs', '/api'))
  const page = body as string

  it('shows operations, parameters, bodies, responses and schemas', () => {
    expect(headers['Content-Type']).toBe('text/html; charset=utf-8')
    for (const part of [
      '<b>GET</b> /api/books',
      'List books',
      '<code>all</code>',
      'Authentication: bearer.',
      '<code>sort</code> query, optional',
      'maximum <code>100</code>',
      '<h4>Body</h4>',
      '<a href="#schema-Book">Book</a>',
      '<article id="schema-Book">',
      '&#34;new&#34;, &#34;old&#34;',
      '<strong>429</strong>',
    ])
      expect(page).toContain(part)
  })

  it('escapes all text', () => {
    expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
    expect(page).toContain('Books &#38; more')
    expect(page).not.toMatch(/<script|<img/)
  })

  it('allows only its own style', () => {
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['Content-Security-Policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`)
  })

  it('has a target for every link and closes every element', () => {
    const targets = new Set([...page.matchAll(/id="([^"]+)"/g)].map(([, id]) => id))
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(targets).toContain(id)
    const open: string[] = []
    for (const [, closing, name = ''] of page.matchAll(/<(\/?)([a-z0-9]+)/g)) {
      if (closing === '/') expect(open.pop()).toBe(name)
      else if (!['meta', 'link'].includes(name)) open.push(name)
    }
    expect(open).toEqual([])
  })
})

it('serves the routes of an API with documents', async () => {
  const documents = createDocuments({ title: 'Ping', version: '1' })
  const api = createApi({
    routes: [
      group.get(
        '/ping',
        {
          operationId: 'ping',
          summary: 'Ping',
          access: 'public',
          responses: { 204: { description: 'Pong' } },
        },
        () => ({ status: 204 }),
      ),
    ],
    documents,
  })
  expect(await api.handle(request('/ping'))).toMatchObject({ status: 204 })
  expect((await api.handle(request('/docs'))).body).toContain('<h2>Operations</h2>')
})

it('lists the alternatives of a body', async () => {
  const choice = z.union([Book, z.object({ isbn: z.string().nullable() }), z.literal('none')])
  const both = checkRoute({
    ...createBook,
    query: z.object({ n: z.coerce.number() }),
    responses: { 201: { description: 'It', body: choice } },
  })
  for (const openapi of ['3.0', '3.1'] as const) {
    const api = createTestApi({ openapi }, [both] as never)
    const { body } = await api.handle(request('/docs'))
    const text = (body as string).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(text).toContain('one of: Book object isbn : string or null')
  }
})
