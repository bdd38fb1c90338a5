import { expect, it } from 'vitest'
import type { LimitState } from './rate-limit.ts'
import { createRateLimitWriter } from './rate-limit-headers.ts'

const general: LimitState = {
  name: 'default',
  quota: 600,
  window: 60,
  remaining: 9,
  reset: 40,
  exceeded: false,
}
const login: LimitState = { name: 'login', quota: 10, window: 900, remaining: 3, reset: 800, exceeded: false }

function shown(...states: readonly LimitState[]) {
  const headers = new Map<string, unknown>()
  const response = {
    setHeader(name: string, value: unknown) {
      headers.set(name, value)
      return response as never
    },
  }
  const show = createRateLimitWriter(response)
  for (const state of states) show(state)
  return Object.fromEntries(headers)
}

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
