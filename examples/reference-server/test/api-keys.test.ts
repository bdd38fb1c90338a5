import { describeWith } from '@sallyport/test-support/services'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startApi, type Credentials, type TestApi } from './api.ts'
import { describeApi } from './describe-api.ts'
import { readiness } from './readiness.ts'
import { temporaryDirectory } from './server-process.ts'

/** The time after which all processes know of a change. */
const limitMs = 5000

// The servers start with this clock, which runs and can be set.
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true }))
afterAll(() => vi.useRealTimers())
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

async function createKey(api: TestApi, scopes: readonly string[], { token = api.admin.token, ...rest } = {}) {
  const json = { name: 'CI', scopes, ...rest }
  const { status, data, headers, text } = await api.call('POST', '/keys', { token, json })
  if (status !== 201) throw new Error(`No key: ${text}`)
  return { id: data.id, token: String(data['key']), data, headers }
}

/** Registers another admin. */
async function createAdmin({ user, call, logIn, admin: { token } }: TestApi) {
  const { id, email, password } = await user()
  await call('PATCH', `/users/${id}`, { token, json: { role: 'admin' } })
  return logIn({ email, password })
}

describeApi((api) => {
  it('shows a key once', async () => {
    const { call, admin } = api()
    const { id, token, data, headers } = await createKey(api(), ['deliveries:read', 'replays:write'])
    expect(token).toMatch(/^sp_[0-9a-f]{16}_[0-9a-f]{72}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(data).toMatchObject({
      name: 'CI',
      scopes: ['deliveries:read', 'replays:write'],
      created_by: admin.id,
      expires_at: null,
      last_used_at: null,
      prefix: `sp_${id}`,
    })
    const shown = await call('GET', `/keys/${id}`, { token: admin.token })
    expect(shown.data.id).toBe(id)
    const { list, text } = await call('GET', '/keys', { token: admin.token })
    expect(list.map((key) => key.id)).toContain(id)
    for (const answer of [shown.text, text]) expect(answer).not.toContain(token.split('_')[2])
  })

  it('has the rights of its scopes', async () => {
    const { call } = api()
    const { token } = await createKey(api(), ['deliveries:read', 'endpoints:read'])
    expect((await call('GET', '/operator', { token })).data).toMatchObject({
      id: api().admin.id,
      name: api().admin.email,
      scopes: ['deliveries:read', 'endpoints:read'],
    })
    for (const path of ['/deliveries', '/endpoints', '/unprocessed-deliveries', '/replay-jobs'])
      expect((await call('GET', path, { token })).status, path).toBe(200)
    for (const [method, path, scope] of [
      ['GET', '/events', 'events:read'],
      ['POST', '/replays', 'replays:write'],
      ['GET', '/statistics', 'statistics:read'],
      ['POST', '/endpoints', 'endpoints:write'],
      ['GET', '/keys', 'keys:write'],
    ] as const) {
      const { status, error, headers } = await call(method, path, { token })
      expect({ status, ...error }, path).toEqual({
        status: 403,
        code: 'FORBIDDEN',
        message: `This needs the scope ${scope}`,
      })
      expect(headers.get('www-authenticate')).toContain(`error="insufficient_scope", scope="${scope}"`)
    }
  })

  it('is no user', async () => {
    const { call, admin } = api()
    const { token } = await createKey(api(), ['keys:write', 'deliveries:erase'])
    const post = { title: 'A', body: 'B' }
    for (const [method, path, json] of [
      ['GET', '/users', undefined],
      ['PATCH', `/users/${admin.id}`, { name: 'Stolen' }],
      ['DELETE', `/users/${admin.id}`, undefined],
      ['GET', '/sessions', undefined],
      ['DELETE', '/sessions/cookie', undefined],
      ['POST', '/posts', post],
    ] as const) {
      const { status, error } = await call(method, path, { token, json })
      expect({ status, ...error }, `${method} ${path}`).toEqual({
        status: 403,
        code: 'FORBIDDEN',
        message: 'API keys cannot do this: log in as a user',
      })
    }
  })

  it('is created by admins only', async () => {
    const { call, user } = api()
    const { token } = await user()
    const json = { name: 'CI', scopes: ['deliveries:read'] }
    expect((await call('POST', '/keys', { token, json })).status).toBe(403)
  })

  it('shows the state of dependencies with the scope of statistics', async () => {
    const { base } = api()
    const [reader, other] = [
      await createKey(api(), ['statistics:read']),
      await createKey(api(), ['events:read']),
    ]
    expect(await readiness(base, reader.token)).toHaveProperty('dependencies')
    expect(await readiness(base, other.token)).toEqual({ status: 'ok' })
  })

  it('has a time of its last use', async () => {
    const { call, admin } = api()
    const { id, token } = await createKey(api(), ['deliveries:read'])
    await call('GET', '/deliveries', { token })
    await expect
      .poll(async () => (await call('GET', `/keys/${id}`, { token: admin.token })).data['last_used_at'])
      .toEqual(expect.any(String))
  })

  it('does not repeat the response to its owner with the same Idempotency-Key', async () => {
    const { call, admin } = api()
    const { token } = await createKey(api(), ['endpoints:write'])
    const request = {
      json: { provider: 'codehost', name: 'Acme Ltd' },
      headers: { 'idempotency-key': 'the-same' },
    }
    const [one, other] = [
      await call('POST', '/endpoints', { ...request, token: admin.token }),
      await call('POST', '/endpoints', { ...request, token }),
    ]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(other.data.id).not.toBe(one.data.id)
  })

  it('stops at its expiry', async () => {
    const { call } = api()
    const validMs = 60_000
    const { token } = await createKey(api(), ['deliveries:read'], {
      expires_at: new Date(Date.now() + validMs).toISOString(),
    } as object)
    const list = () => call('GET', '/deliveries', { token })
    expect((await list()).status).toBe(200)
    pass(validMs)
    expect((await list()).error.code).toBe('INVALID_TOKEN')
  })

  it('stops at its deletion, with the keys that it created', async () => {
    const { call, admin } = api()
    const parent = await createKey(api(), ['keys:write', 'deliveries:read'])
    const child = await createKey(api(), ['deliveries:read'], { token: parent.token })
    expect((await call('GET', '/deliveries', { token: child.token })).status).toBe(200)
    expect((await call('DELETE', `/keys/${parent.id}`, { token: admin.token })).status).toBe(204)
    for (const { token } of [parent, child])
      expect((await call('GET', '/deliveries', { token })).error.code).toBe('INVALID_TOKEN')
  })

  it.each([
    [
      'suspension',
      (path: string, token: string) => api().call('PATCH', path, { token, json: { status: 'suspended' } }),
    ],
    [
      'demotion',
      (path: string, token: string) => api().call('PATCH', path, { token, json: { role: 'user' } }),
    ],
    ['deletion', (path: string, token: string) => api().call('DELETE', path, { token })],
  ])('stops after the %s of its owner', async (_, change) => {
    const { call, admin } = api()
    const owner = await createAdmin(api())
    const { token } = await createKey(api(), ['deliveries:read'], { token: owner.token })
    expect((await call('GET', '/deliveries', { token })).status).toBe(200)
    expect((await change(`/users/${owner.id}`, admin.token)).status).toBeLessThan(300)
    pass(limitMs)
    expect((await call('GET', '/deliveries', { token })).status).toBe(401)
  })
})

describe('a key that another process deletes', () => {
  const secret = { JWT_SECRET: 'a secret of both processes with 32 bytes' }
  const admin: Credentials = { email: 'operator@example.com', password: 'a password of the admin' }
  const account = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

  async function testDeletion(database: Readonly<Record<string, string>>): Promise<void> {
    const settings = { ...secret, ...account, ...database }
    await using here = await startApi(settings)
    await using there = await startApi(settings)
    const { id, token } = await createKey(here, ['deliveries:read'])
    expect((await there.call('GET', '/deliveries', { token })).status).toBe(200)
    await here.call('DELETE', `/keys/${id}`, { token: here.admin.token })
    pass(limitMs)
    expect((await there.call('GET', '/deliveries', { token })).status).toBe(401)
  }

  it('stops within five seconds on SQLite', async () => {
    await using data = await temporaryDirectory()
    await testDeletion({ DATA_DIR: data.path })
  })
  describeWith('postgres', (postgres) => {
    it('stops within five seconds', () => testDeletion({ DATABASE_URL: postgres().url }))
  })
})

describe('the security log', () => {
  let api: TestApi
  let text = ''
  beforeAll(async () => {
    api = await startApi({ ACCESS_LOG: '1' }, undefined, (line) => {
      text += line
    })
  })
  afterAll(() => api[Symbol.asyncDispose]())
  beforeEach(() => {
    text = ''
  })

  it('has refused requests of a key with its owner, and no key', async () => {
    const { id, token } = await createKey(api, ['deliveries:read'])
    await api.call('GET', '/events', { token })
    await api.call('GET', '/users', { token })
    await api.call('GET', '/deliveries', { token: `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}` })
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    const key = { userId: api.admin.id, keyId: id }
    expect(lines.filter(({ msg }) => msg === 'Security')).toMatchObject([
      { event: 'access.denied', route: '/api/v1/events', status: 403, ...key },
      { event: 'access.denied', route: '/api/v1/users', status: 403, ...key },
      { event: 'access.denied', route: '/api/v1/deliveries', status: 401, code: 'INVALID_TOKEN' },
    ])
    expect(text).not.toContain(token.split('_')[2]!.slice(0, 64))
  })
})
