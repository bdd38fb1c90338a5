import { createTokenIssuer, createKeyRing } from '@sallyport/auth'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const secret = 'a secret of at least thirty-two bytes'
const folder = fileURLToPath(new URL('..', import.meta.url))
const tokens = createTokenIssuer({
  keys: createKeyRing([secret]),
  issuer: 'https://books.example',
  audience: 'books',
})

function run(program: string, port = 0): ChildProcess {
  const env = { ...process.env, JWT_SECRET: secret, PORT: String(port) }
  return spawn(process.execPath, ['--conditions=@sallyport/source', `src/${program}.ts`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

it('prints a token of a user', async () => {
  const { stdout } = run('token')
  const [printed] = (await once(stdout ?? process.stdin, 'data')) as [Buffer]
  expect(printed.toString().split('.')).toHaveLength(3)
})

describe.each(['node', 'express', 'fastify', 'hono'])('the API of books with src/%s.ts', (host) => {
  let server: ChildProcess
  let origin: string
  beforeAll(async () => {
    const port = await findFreePort()
    origin = `http://127.0.0.1:${port}`
    server = run(host, port)
    await vi.waitFor(() => fetch(`${origin}/docs`), 60_000)
  })
  afterAll(async () => {
    server.kill()
    await once(server, 'exit')
  })

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
    return await fetch(`${origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  async function create(title: string, headers: Record<string, string> = {}) {
    const response = await send('POST', '/books', { headers, body: { title, author: 'Anonymous' } })
    const { data } = (await response.json()) as { readonly data: Book }
    return { ...data, status: response.status, headers: response.headers }
  }

  it('knows the user of a token', async () => {
    expect(await (await send('GET', '/me')).json()).toEqual({ data: { id: 'ada' } })
    expect((await send('GET', '/me', { headers: { Authorization: '' } })).status).toBe(401)
  })

  it('creates a book once for an Idempotency-Key', async () => {
    const first = await create('Beowulf', { 'Idempotency-Key': 'key-1' })
    expect([first.status, first.headers.get('location')]).toEqual([201, `/books/${first.id}`])
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
    const { id } = await create('Edda')
    const etag = (await send('GET', `/books/${id}`)).headers.get('etag') ?? ''
    expect((await send('GET', `/books/${id}`, { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  it('changes a book for its owner with a current ETag', async () => {
    const { id, headers } = await create('Kalevala')
    const change = {
      headers: { 'If-Match': headers.get('etag') ?? '' },
      body: { title: 'The Kalevala' },
    }
    expect((await send('PATCH', `/books/${id}`, { ...change, user: 'eve' })).status).toBe(403)
    expect((await send('PATCH', `/books/${id}`, change)).status).toBe(200)
    expect((await send('PATCH', `/books/${id}`, change)).status).toBe(412)
  })

  it('deletes a book', async () => {
    const { id } = await create('Mabinogion')
    expect((await send('DELETE', `/books/${id}`)).status).toBe(204)
    expect((await send('GET', `/books/${id}`)).status).toBe(404)
  })

  it('limits the requests of an address without credentials', async () => {
    const { headers } = await fetch(`${origin}/docs`)
    expect(headers.get('ratelimit')).toMatch(/^"default";r=59\d/)
  })

  it('serves its documents', async () => {
    expect(await (await send('GET', '/openapi.json')).json()).toMatchObject({ info: { title: 'Books' } })
    expect(await (await send('GET', '/docs')).text()).toContain('<b>PATCH</b> /books/{id}')
  })
})
