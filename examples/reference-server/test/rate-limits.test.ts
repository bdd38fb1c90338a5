import { describe, expect, it } from 'vitest'
import { startApi } from './api.ts'
import { fetchDocument } from './openapi.ts'

const health = ['/health', '/ready']

describe('rate limits', () => {
  it('apply to all documented operations but the probes', async () => {
    await using api = await startApi()
    const { paths } = await fetchDocument(api.base)
    const unlimited = Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations).some(({ responses }) => '429' in responses) ? [] : [path],
    )
    expect(unlimited).toEqual(health)
    for (const path of ['/', '/.well-known/jwks.json', ...health])
      expect((await fetch(api.base + path)).headers.has('ratelimit'), path).toBe(!health.includes(path))
  })

  it('give each user a quota, and report its state', async () => {
    await using api = await startApi({ RATE_LIMIT: '2' })
    const [one, two] = [await api.user(), await api.user()]
    const get = (token: string) => api.call('GET', '/users', { token })
    for (const remaining of [1, 0]) {
      const { status, headers } = await get(one.token)
      expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"default";q=2;w=60'])
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${remaining};t=\\d+$`))
    }
    const refused = await get(one.token)
    expect([refused.status, refused.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await get(two.token)).status).toBe(200)
  })

  it('give each address one quota for the API, the service and its documents', async () => {
    // The document that answers are held against was read from this address, too.
    await using api = await startApi({ RATE_LIMIT: '7' })
    const get = async (path: string, init: RequestInit = {}) => {
      const { status, headers } = await fetch(api.base + path, { redirect: 'error', ...init })
      return [status, headers.get('ratelimit')?.split(';')[1]]
    }
    expect(await get('/')).toEqual([200, 'r=5'])
    expect(await get('/api/docs')).toEqual([200, 'r=4'])
    expect(await get('/api/openapi.json', { method: 'POST' })).toEqual([405, 'r=3'])
    expect(await get('/nowhere')).toEqual([404, 'r=2'])
    expect(await get('/api/v1/nowhere')).toEqual([404, 'r=1'])
    expect(await get('/api/v1/users', { headers: { authorization: 'Bearer rubbish' } })).toEqual([401, 'r=0'])
    const addresses = ['/', '/api/docs', '/api/redoc', '/api/openapi.json', '/.well-known/jwks.json', '/x']
    for (const path of [...addresses, '/api/v1/users']) {
      const refused = await fetch(api.base + path)
      expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'RATE_LIMITED' } }])
      expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=7;w=60')
    }
    expect((await api.call('GET', '/users', { token: api.admin.token })).status).toBe(200)
    for (const path of health) expect(await get(path)).toEqual([200, undefined])
  })

  it('count forwarded addresses of a trusted proxy, IPv6 addresses by network', async () => {
    await using api = await startApi({ RATE_LIMIT: '1', TRUST_PROXY: '1' })
    for (const [address, status] of [
      ['192.0.2.1', 401],
      ['192.0.2.1', 429],
      ['::ffff:192.0.2.1', 429],
      ['192.0.2.2', 401],
      ['2001:db8:1:2::1', 401],
      ['2001:db8:1:2:ffff::2', 429],
      ['2001:db8:1:3::1', 401],
    ] as const) {
      const headers = { 'x-forwarded-for': address }
      expect([address, (await api.call('GET', '/users', { headers })).status]).toEqual([address, status])
    }
  })

  it('are stricter for registrations and logins, each separately, and for password changes', async () => {
    await using api = await startApi({ RATE_LIMIT_AUTH: '2' })
    const { token, id, session, password } = api.admin
    // The admin has logged in once already.
    for (const [path, left] of [
      ['/sessions', 1],
      ['/users', 2],
      [`/sessions/${session}/tokens`, 2],
    ] as const) {
      for (let attempt = 0; attempt < left; attempt++)
        expect((await api.call('POST', path, { json: {} })).status).toBe(400)
      const refused = await api.call('POST', path, { json: {} })
      expect([refused.status, refused.error.code]).toEqual([429, 'RATE_LIMITED'])
      expect(refused.headers.get('ratelimit-policy')).toBe('"auth";q=2;w=60')
    }
    const { headers } = await api.call('PATCH', `/users/${id}`, { token, json: { password } })
    expect(headers.get('ratelimit-policy')).toBe('"default";q=1000000;w=60, "auth";q=2;w=60')
  })
})
