import { describe, expect, it } from 'vitest'
import { startApi, type TestUser } from './api.ts'

describe('rate limits', () => {
  it('give each user a quota and report its state', async () => {
    await using api = await startApi({ RATE_LIMIT: '3' })
    const [one, two] = [await api.user(), await api.user()]
    const get = (token: string) => api.call('GET', '/users', { token })
    for (const remaining of [2, 1, 0]) {
      const answer = await get(one.token)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${remaining};t=\\d+$`))
    }
    const refused = await get(one.token)
    expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(50)
    expect(wait).toBeLessThanOrEqual(60)
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=/)
    expect((await get(two.token)).status).toBe(200)
  })

  it('count anonymous clients by address, except for the health check', async () => {
    // The document that answers are held against was read from this address, too.
    await using api = await startApi({ RATE_LIMIT: '4' })
    expect((await api.call('GET', '/users')).status).toBe(401)
    expect((await api.call('GET', '/nowhere')).status).toBe(404)
    expect((await api.call('GET', '/users', { token: 'rubbish' })).status).toBe(401)
    expect((await api.call('GET', '/nowhere')).status).toBe(429)
    expect((await api.call('GET', '/users', { token: api.admin.token })).status).toBe(200)
    for (let request = 0; request < 5; request++) {
      const health = await fetch(`${api.base}/health`)
      expect([health.status, health.headers.get('ratelimit')]).toEqual([200, null])
    }
  })

  it('count forwarded addresses of a trusted proxy, IPv6 addresses by network', async () => {
    await using api = await startApi({ RATE_LIMIT: '1', TRUST_PROXY: '1' })
    const from = async (address: string) =>
      (await api.call('GET', '/users', { headers: { 'x-forwarded-for': address } })).status
    expect(await from('192.0.2.1')).toBe(401)
    expect(await from('192.0.2.1')).toBe(429)
    expect(await from('::ffff:192.0.2.1')).toBe(429)
    expect(await from('192.0.2.2')).toBe(401)
    expect(await from('2001:db8:1:2::1')).toBe(401)
    expect(await from('2001:db8:1:2:ffff::2')).toBe(429)
    expect(await from('2001:db8:1:3::1')).toBe(401)
  })

  it('of failed logins apply per account and network', async () => {
    await using api = await startApi({ TRUST_PROXY: '1' })
    const { email, password } = await api.user()
    const logIn = async (address: string, given: string) => {
      const json = { email, password: given }
      return (await api.call('POST', '/sessions', { json, headers: { 'x-forwarded-for': address } })).status
    }
    for (let failure = 0; failure < 10; failure++) {
      expect(await logIn(`2001:db8:1:2::${failure}`, 'not this one')).toBe(401)
    }
    expect(await logIn('2001:db8:1:2::a', password)).toBe(429)
    expect(await logIn('2001:db8:1:3::a', password)).toBe(201)
  })

  it('are stricter for registrations and logins, each separately', async () => {
    await using api = await startApi({ RATE_LIMIT_AUTH: '2' })
    // The admin has logged in once already.
    const attempts = [
      ['/sessions', 1],
      ['/users', 2],
      [`/sessions/${api.admin.session}/tokens`, 2],
    ] as const
    for (const [path, left] of attempts) {
      for (let attempt = 0; attempt < left; attempt++) {
        expect((await api.call('POST', path, { json: {} })).status).toBe(400)
      }
      const refused = await api.call('POST', path, { json: {} })
      expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
      expect(refused.headers.get('ratelimit-policy')).toBe('"auth";q=2;w=60')
    }
    expect((await api.call('GET', '/users', { token: api.admin.token })).status).toBe(200)
  })

  it('apply to password changes', async () => {
    await using api = await startApi({ RATE_LIMIT_AUTH: '3' })
    const [one, two] = [await api.user(), await api.user()]
    const change = ({ token }: { token: string }, { id }: TestUser, json: object, method = 'PATCH') =>
      api.call(method, `/users/${id}`, { token, json })
    const password = 'a difference engine'
    // Requests without a hash do not count.
    expect((await change(one, two, { password })).status).toBe(403)
    expect((await change(one, one, { email: two.email, password })).status).toBe(409)
    for (const [method, left] of [
      ['PATCH', 2],
      ['PUT', 1],
    ] as const) {
      const json = { email: two.email, name: 'Ada', password }
      const { status, headers } = await change(api.admin, two, json, method)
      expect([status, headers.get('ratelimit-policy')]).toEqual([
        200,
        '"default";q=1000000;w=60, "auth";q=3;w=60',
      ])
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"auth";r=${left};t=\\d+$`))
    }
    expect((await change(api.admin, two, { password })).status).toBe(200)
    const refused = await change(api.admin, two, { password })
    expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await change(api.admin, two, { name: 'Augusta' })).status).toBe(200)
    // Other users and addresses are not limited.
    expect((await change(one, one, { password })).status).toBe(200)
  })
})
