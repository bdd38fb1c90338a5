import { describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'

type Operations = Readonly<Record<string, { readonly responses: object }>>

async function documented(api: TestApi): Promise<Readonly<Record<string, Operations>>> {
  const response = await fetch(`${api.base}/api/openapi.json`)
  return ((await response.json()) as { paths: Readonly<Record<string, Operations>> }).paths
}

describe('the limited operations', () => {
  it('are documented, and include all but the probes', async () => {
    await using api = await startApi()
    const paths = await documented(api)
    const unlimited = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        '429' in responses ? [] : [`${method} ${path}`],
      ),
    )
    expect(unlimited).toEqual(['get /health', 'get /ready'])
    for (const path of ['/', '/.well-known/jwks.json', '/health', '/ready']) {
      const limited = '429' in paths[path]!['get']!.responses
      expect((await fetch(api.base + path)).headers.has('ratelimit'), path).toBe(limited)
    }
  })

  it('include the service and its documents, in one quota per address', async () => {
    // The document that answers are held against was read from this address, too.
    await using api = await startApi({ RATE_LIMIT: '6' })
    const get = async (path: string, init: RequestInit = {}) => {
      const { status, headers } = await fetch(api.base + path, { redirect: 'error', ...init })
      return [status, headers.get('ratelimit')?.split(';')[1]]
    }
    expect(await get('/')).toEqual([200, 'r=4'])
    expect(await get('/api/docs')).toEqual([200, 'r=3'])
    expect(await get('/api/openapi.json', { method: 'POST' })).toEqual([405, 'r=2'])
    expect(await get('/nowhere')).toEqual([404, 'r=1'])
    expect(await get('/api/nowhere')).toEqual([404, 'r=0'])
    for (const path of [
      '/',
      '/api/docs',
      '/api/redoc',
      '/api/openapi.json',
      '/.well-known/jwks.json',
      '/x',
    ]) {
      const refused = await fetch(api.base + path)
      expect([refused.status, ((await refused.json()) as { error: object }).error], path).toMatchObject([
        429,
        { code: 'RATE_LIMITED' },
      ])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=6;w=60')
    }
    expect(await get('/health')).toEqual([200, undefined])
    expect(await get('/ready')).toEqual([200, undefined])
  })

  it('show every policy of a login, and the policy with the fewest remaining requests', async () => {
    await using api = await startApi({ RATE_LIMIT_AUTH: '30' })
    const policies = '"auth";q=30;w=60, "login";q=10;w=900'
    const user = await api.user()
    const logIn = (password: string) =>
      api.call('POST', '/sessions', { json: { email: user.email, password } })
    const right = await logIn(user.password)
    expect([right.status, right.headers.get('ratelimit-policy')]).toEqual([201, policies])
    for (let left = 9; left >= 0; left--) {
      const { status, headers } = await logIn('wrong')
      expect([status, headers.get('ratelimit-policy')]).toEqual([401, policies])
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"login";r=${left};t=\\d+$`))
    }
    const refused = await logIn(user.password)
    expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
    expect(refused.headers.get('ratelimit-policy')).toBe(policies)
    expect(refused.headers.get('ratelimit')).toMatch(/^"login";r=0;t=\d+$/)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  })
})
