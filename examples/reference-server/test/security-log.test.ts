import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, unknownId, type TestApi } from './api.ts'

type Line = Readonly<Record<string, unknown>>

let api: TestApi
let lines: Line[] = []
let text = ''
const events = () => lines.filter(({ msg }) => msg === 'Security')

beforeAll(async () => {
  api = await startApi({}, undefined, (line) => {
    text += line
    lines.push(JSON.parse(line) as Line)
  })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  lines = []
})

const common = { level: 30, address: '127.0.0.1', requestId: expect.any(String) as string }
const denied = { ...common, event: 'access.denied', method: 'GET' }

describe('the security log', () => {
  it('has logins, failed logins and logouts', async () => {
    const user = await api.user()
    const { id, email, password, token, session } = user
    const logIn = (json: object, requestId: string) =>
      api.call('POST', '/sessions', { json, headers: { 'x-request-id': requestId } })
    await logIn({ email, password: 'not this one' }, 'wrong-password')
    await logIn({ email: 'unknown@example.com', password }, 'unknown-user')
    await api.call('PATCH', `/users/${id}`, { json: { name: 'Ada' }, token })
    await api.call('DELETE', `/sessions/${session}`, { token })
    const login = { ...common, method: 'POST', route: '/api/v1/sessions' }
    const failed = { ...login, event: 'login.failed', status: 401, code: 'INVALID_CREDENTIALS' }
    const route = '/api/v1/sessions/{id}'
    expect(events()).toMatchObject([
      { event: 'user.created', method: 'POST', status: 201, userId: id, targetId: id, role: 'user' },
      { ...login, event: 'login.succeeded', status: 201, userId: id, sessionId: session },
      { ...failed, targetId: id, requestId: 'wrong-password' },
      { ...failed, requestId: 'unknown-user' },
      { event: 'logout.succeeded', method: 'DELETE', route, status: 204, userId: id, sessionId: session },
    ])
    expect(events()[3]).not.toHaveProperty('targetId')
  })

  it('has the login of a suspended user', async () => {
    const user = await api.user()
    const { token, id: adminId } = api.admin
    await api.call('PATCH', `/users/${user.id}`, { json: { status: 'suspended' }, token })
    const { email, password } = user
    await api.call('POST', '/sessions', { json: { email, password } })
    expect(events().slice(2)).toMatchObject([
      { event: 'user.changed', userId: adminId, targetId: user.id, changed: ['status'] },
      { event: 'login.failed', status: 403, code: 'ACCOUNT_SUSPENDED', targetId: user.id },
    ])
  })

  it('has a replayed refresh token, with its session and user', async () => {
    const { id, session, refreshToken } = await api.user()
    const refresh = (refresh_token: string) =>
      api.call('POST', `/sessions/${session}/tokens`, { json: { refresh_token } })
    const { data } = await refresh(refreshToken)
    const second = String(data['refresh_token'])
    await refresh(second)
    await refresh(refreshToken)
    await refresh(second)
    const route = '/api/v1/sessions/{id}/tokens'
    const refused = { ...common, method: 'POST', route, status: 401, code: 'INVALID_TOKEN' }
    expect(events().slice(2)).toMatchObject([
      { ...refused, event: 'refresh.replayed', sessionId: session, targetId: id },
      { ...refused, event: 'refresh.failed' },
    ])
  })

  it('has requests without a valid token or the permission', async () => {
    const { id, token } = await api.user()
    await api.call('GET', `/users/${id}`)
    await api.call('GET', `/users/${id}`, { token: 'marker-of-a-token' })
    await api.call('GET', '/deliveries', { token })
    await api.call('GET', `/users/${unknownId}`, { token })
    expect(events().slice(2)).toMatchObject([
      { ...denied, route: '/api/v1/users/{id}', status: 401, code: 'TOKEN_MISSING' },
      { ...denied, route: '/api/v1/users/{id}', status: 401, code: 'INVALID_TOKEN' },
      { ...denied, route: '/api/v1/deliveries', status: 403, code: 'FORBIDDEN', userId: id },
    ])
  })

  it('has changed passwords, roles and status in one line per request', async () => {
    const { id, token } = await api.user()
    const path = `/users/${id}`
    await api.call('PATCH', path, { json: { password: 'marker-of-a-password' }, token })
    const json = { role: 'admin', status: 'suspended', name: 'Ada' }
    await api.call('PATCH', path, { json, token: api.admin.token })
    const changed = {
      ...common,
      event: 'user.changed',
      method: 'PATCH',
      route: '/api/v1/users/{id}',
      status: 200,
    }
    expect(events().slice(2)).toMatchObject([
      { ...changed, userId: id, targetId: id, changed: ['password'] },
      { ...changed, userId: api.admin.id, targetId: id, changed: ['role', 'status'] },
    ])
  })

  it('has at most 60 lines of an event per client and minute', async () => {
    for (let request = 0; request < 80; request++) await api.call('GET', '/users')
    expect(events().length).toBeGreaterThan(50)
    expect(events().length).toBeLessThanOrEqual(60)
    expect(events().at(-1)).toHaveProperty('isLastOfMinute', true)
    // Another event of the same client is logged.
    await api.call('POST', '/sessions', { json: { email: 'a@example.com', password: 'x' } })
    expect(events().at(-1)).toMatchObject({ event: 'login.failed' })
  })

  it('has no token, password or e-mail address', () => {
    expect(text).toContain('login.failed')
    for (const hidden of ['@example.com', 'marker-of-a-', 'password 1', 'Bearer', api.admin.refreshToken])
      expect(text).not.toContain(hidden)
    expect(text).not.toContain('REST request')
  })
})

it('logs every request of the REST API with ACCESS_LOG, and the limited requests', async () => {
  const own: Line[] = []
  const settings = { ACCESS_LOG: '1', RATE_LIMIT: '2' }
  await using limited = await startApi(settings, undefined, (line) => own.push(JSON.parse(line) as Line))
  own.length = 0
  const { token, id } = limited.admin
  for (let request = 0; request < 3; request++) await limited.call('GET', `/users/${id}`, { token })
  const line = { method: 'GET', route: '/api/v1/users/{id}', userId: id, address: '127.0.0.1' }
  const ok = { ...line, msg: 'REST request', status: 200, durationMs: expect.any(Number) as number }
  expect(own).toMatchObject([
    ok,
    ok,
    { ...ok, status: 429, code: 'RATE_LIMITED' },
    { ...line, msg: 'Security', event: 'access.limited', status: 429, code: 'RATE_LIMITED' },
  ])
})
