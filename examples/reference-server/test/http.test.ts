import { connect } from 'node:net'
import { text as getText } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import { type TestUser } from './api.ts'
import { describeApi } from './describe-api.ts'

describeApi((api) => {
  let user: TestUser
  beforeAll(async () => {
    user = await api().user()
  })

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    api().call('GET', path, { token: user.token, headers })

  it('has the headers of a response that depends on the caller, and the request id of the client', async () => {
    const { headers } = await get(`/users/${user.id}`, { 'x-request-id': 'a.B-1_2' })
    expect(headers.get('x-request-id')).toBe('a.B-1_2')
    expect(headers.get('vary')).toBe('Authorization, Accept')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const unsafe = await get('/users', { 'x-request-id': 'a b' })
    expect(unsafe.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('answers problem details if the client accepts them', async () => {
    const headers = { accept: 'application/problem+json' }
    const answer = await api().call('POST', '/users', { json: {}, headers })
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(JSON.parse(answer.text)).toMatchObject({
      ...{ type: 'about:blank', title: 'Bad Request', status: 400, code: 'VALIDATION_ERROR' },
      details: [{ field: 'email' }, { field: 'name' }, { field: 'password' }],
    })
  })

  it('answers the same at /v1, with addresses under /api/v1', async () => {
    const authorization = `Bearer ${user.token}`
    const read = async (prefix: string) =>
      (await fetch(`${api().base}${prefix}/users/${user.id}`, { headers: { authorization } })).text()
    expect(await read('/v1')).toBe(await read('/api/v1'))
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'one' }
    const create = async (path: string) => {
      const body = '{"title":"T","body":"B"}'
      const response = await fetch(api().base + path, { method: 'POST', headers, body })
      const { data } = (await response.json()) as { data: { id: string } }
      return [response.headers.get('location'), `/api/v1/posts/${data.id}`]
    }
    // Regression: a key applied to one spelling of the path.
    const [location, expected] = await create('/api/v1/posts')
    expect(location).toBe(expected)
    for (const path of ['/v1/posts', '/api/v1/%70osts'])
      expect(await create(path)).toEqual([location, expected])
  })

  it('runs a repeated request once for its user and path, and stores the response', async () => {
    const other = await api().user()
    const create = (title: string, path = '/posts', token = user.token) => {
      const json = path === '/posts' ? { title, body: 'B' } : { name: title }
      return api().call('POST', path, { token, json, headers: { 'idempotency-key': 'once' } })
    }
    const first = await create('Once')
    const again = await create('Once')
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name))
    expect(await create('Twice')).toMatchObject({ status: 422, error: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect((await create('Once', '/projects')).status).toBe(201)
    expect((await create('Once', '/posts', other.token)).data.id).not.toBe(first.data.id)
  })

  it.each(['/users/%', '/users/%ff', '/users/a%00b'])('rejects the path %s', async (path) => {
    expect(await get(path)).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST' } })
  })

  it.each([
    ['/users?search=%00', 400, 'VALIDATION_ERROR'],
    [`/users?${'a=1&'.repeat(65)}`, 400, 'BAD_REQUEST'],
    [`/users?${'x'.repeat(8193)}`, 414, 'URI_TOO_LONG'],
    [`/users/${'x'.repeat(3000)}`, 414, 'URI_TOO_LONG'],
  ])('limits a query and a path: %.30s', async (path, status, code) => {
    expect(await get(path)).toMatchObject({ status, error: { code } })
  })

  it('answers deliveries and other requests of one connection after the client closed its half', async () => {
    const { port } = new URL(api().base)
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
    const host = 'HTTP/1.1\r\nHost: localhost\r\n'
    const delivery = `POST /webhooks/codehost ${host}Content-Length: 2\r\n\r\n{}`
    socket.end(`GET /api/v1/posts ${host}\r\n${delivery}GET /health ${host}\r\n`)
    const statuses = [...(await getText(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual(['401', '401', '200'])
  })
})
