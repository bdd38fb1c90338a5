import { expect, it } from 'vitest'
import type { RateLimitResult } from './memory-rate-limit.ts'
import { createRateLimitHeaders, createRateLimits, requireQuota } from './rate-limits.ts'

const general: RateLimitResult = {
  name: 'default',
  quota: 600,
  window: 60,
  remaining: 9,
  reset: 40,
  exceeded: false,
}
const login: RateLimitResult = {
  name: 'login',
  quota: 10,
  window: 900,
  remaining: 3,
  reset: 800,
  exceeded: false,
}

const shown = (...states: readonly RateLimitResult[]) =>
  createRateLimitHeaders(new Map(states.map((state) => [state.name, state])))

it('lists every policy in order, and the state with the fewest remaining requests', () => {
  const policies = '"default";q=600;w=60, "login";q=10;w=900'
  expect(shown(general)).toEqual({
    'RateLimit-Policy': '"default";q=600;w=60',
    RateLimit: '"default";r=9;t=40',
  })
  expect(shown(general, login)).toEqual({ 'RateLimit-Policy': policies, RateLimit: '"login";r=3;t=800' })
  expect(shown({ ...general, remaining: 2 }, login)).toMatchObject({ RateLimit: '"default";r=2;t=40' })
  expect(shown({ ...general, remaining: 3 }, login)).toMatchObject({ RateLimit: '"login";r=3;t=800' })
})

it('shows the latest state of a policy', () => {
  const after = { ...login, remaining: 2 }
  expect(shown(general, login, after)).toEqual({
    'RateLimit-Policy': '"default";q=600;w=60, "login";q=10;w=900',
    RateLimit: '"login";r=2;t=800',
  })
})

it('selects the declared rate limit of a route', async () => {
  const select = createRateLimits({
    default: { quota: 5, window: 60 },
    auth: { quota: 2, window: 60, perRoute: true },
    shared: { count: () => Promise.resolve({ ...general, name: 'shared' }) },
  })
  const count = (operationId: string, rateLimit?: string) =>
    select({ operationId, ...(rateLimit !== undefined && { rateLimit }) })?.('client')
  expect(select({ operationId: 'probe', rateLimit: false })).toBeUndefined()
  expect(count('list')).toMatchObject({ name: 'default', remaining: 4 })
  expect(count('get', 'default')).toMatchObject({ name: 'default', remaining: 3 })
  expect(select(undefined)?.('client')).toMatchObject({ name: 'default', remaining: 2 })
  expect(count('logIn', 'auth')).toMatchObject({ name: 'auth', remaining: 1 })
  expect(count('register', 'auth')).toMatchObject({ name: 'auth', remaining: 1 })
  expect(await count('list', 'shared')).toMatchObject({ name: 'shared' })
  expect(() => count('x', 'lavish')).toThrow(/x declares the rate limit "lavish": add it to rateLimits/)
})

it('rejects a request over the quota with Retry-After', () => {
  requireQuota(general)
  expect(() => {
    requireQuota({ exceeded: true, reset: 41.2 })
  }).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', headers: { 'Retry-After': '42' } }) as Error)
})
