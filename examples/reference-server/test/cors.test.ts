import { expect, it } from 'vitest'
import { startApi } from './api.ts'

it('allows the origins of CORS_ORIGINS for the REST API only', async () => {
  await using api = await startApi({ CORS_ORIGINS: 'https://app.example.com' })
  const ask = async (path: string, origin: string, headers: Record<string, string> = {}, method = 'GET') =>
    (await fetch(api.base + path, { method, headers: { origin, ...headers } })).headers
  const origin = 'https://app.example.com'
  const name = 'access-control-allow-origin'
  expect((await ask('/api/v1/users', origin)).get(name)).toBe(origin)
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  const answer = await ask('/api/v1/posts', origin, preflight, 'OPTIONS')
  expect(answer.get(name)).toBe(origin)
  expect(answer.get('access-control-allow-methods')).toContain('POST')
  expect((await ask('/api/v1/users', 'https://other.example')).get(name)).toBeNull()
  for (const path of ['/', '/health', '/api/openapi.json', '/api/docs'])
    expect((await ask(path, origin)).get(name)).toBeNull()
})
