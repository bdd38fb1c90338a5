import { createKeyRing, createTokenIssuer, createTokenVerifier } from '@sallyport/auth'
import { createNodeListener } from '@sallyport/rest/node'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBooksApi } from '../src/books.ts'

const secret = 'a secret of at least thirty-two bytes'
const issuer = 'https://books.example'
const keys = createKeyRing([secret])
const tokens = createTokenIssuer({ keys, issuer, audience: issuer })
const verifier = createTokenVerifier({ keys, issuer, audience: issuer })
const server = createServer(createNodeListener(createBooksApi(verifier, secret)))
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void server.close())

interface Book {
  readonly id: string
  readonly title: string
}

async function send(
  method: string,
  path: string,
  {
    user = 'ada',
    headers = {},
    body,
  }: { user?: string; headers?: Record<string, string>; body?: object } = {},
) {
  const { token } = await tokens.issue({ sub: user })
  const { port } = server.address() as AddressInfo
  return await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function create(title: string, headers: Record<string, string> = {}) {
  const response = await send('POST', '/books', { headers, body: { title, author: 'Anonymous' } })
  const { data } = (await response.json()) as { readonly data: Book }
  return { ...data, status: response.status, etag: response.headers.get('etag') ?? '' }
}

it('knows the user of a token', async () => {
  expect(await (await send('GET', '/me')).json()).toEqual({ data: { id: 'ada' } })
  expect((await send('GET', '/me', { headers: { Authorization: '' } })).status).toBe(401)
})

it('creates a book once for an Idempotency-Key', async () => {
  const first = await create('Beowulf', { 'Idempotency-Key': 'key-1' })
  expect(first.status).toBe(201)
  expect((await create('Beowulf', { 'Idempotency-Key': 'key-1' })).id).toBe(first.id)
})

it('lists all books by cursor', async () => {
  await Promise.all(['Njal', 'Egil', 'Laxdaela'].map((title) => create(title)))
  const titles: string[] = []
  for (let cursor = '', hasMore = true; hasMore;) {
    const response = await send('GET', `/books?cursor=${cursor}&limit=2&sort=title`)
    const { data, meta } = (await response.json()) as {
      readonly data: readonly Book[]
      readonly meta: { readonly nextCursor: string; readonly hasMore: boolean }
    }
    titles.push(...data.map(({ title }) => title))
    ;({ nextCursor: cursor, hasMore } = meta)
  }
  expect(titles).toEqual(expect.arrayContaining(['Egil', 'Laxdaela', 'Njal']))
  expect(titles).toEqual(titles.toSorted())
})

it('answers 304 to a current ETag', async () => {
  const { id, etag } = await create('Edda')
  expect((await send('GET', `/books/${id}`, { headers: { 'If-None-Match': etag } })).status).toBe(304)
})

it('changes a book for its owner with a current ETag', async () => {
  const { id, etag } = await create('Kalevala')
  const change = { headers: { 'If-Match': etag }, body: { title: 'The Kalevala' } }
  expect((await send('PATCH', `/books/${id}`, { ...change, user: 'eve' })).status).toBe(403)
  expect((await send('PATCH', `/books/${id}`, change)).status).toBe(200)
  expect((await send('PATCH', `/books/${id}`, change)).status).toBe(412)
})

it('deletes a book', async () => {
  const { id } = await create('Mabinogion')
  expect((await send('DELETE', `/books/${id}`)).status).toBe(204)
  expect((await send('GET', `/books/${id}`)).status).toBe(404)
})

it('serves its documents', async () => {
  expect(await (await send('GET', '/openapi.json')).json()).toMatchObject({ info: { title: 'Books' } })
  expect(await (await send('GET', '/docs')).text()).toContain('<b>PATCH</b> /books/{id}')
})
