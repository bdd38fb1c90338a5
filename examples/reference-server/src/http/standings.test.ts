import { expect, it } from 'vitest'
import type { Standing } from './rate-limit.ts'
import { showStandings } from './standings.ts'

const general: Standing = {
  name: 'default',
  quota: 600,
  window: 60,
  remaining: 9,
  reset: 40,
  exceeded: false,
}
const login: Standing = { name: 'login', quota: 10, window: 900, remaining: 3, reset: 800, exceeded: false }

function shown(...standings: readonly Standing[]) {
  const headers = new Map<string, unknown>()
  const response = {
    setHeader(name: string, value: unknown) {
      headers.set(name, value)
      return response as never
    },
  }
  const show = showStandings(response)
  for (const standing of standings) show(standing)
  return Object.fromEntries(headers)
}

it('lists every policy in the order in which they were met, and the standing that is nearest to its end', () => {
  const policies = '"default";q=600;w=60, "login";q=10;w=900'
  expect(shown(general)).toEqual({
    'RateLimit-Policy': '"default";q=600;w=60',
    RateLimit: '"default";r=9;t=40',
  })
  expect(shown(general, login)).toEqual({ 'RateLimit-Policy': policies, RateLimit: '"login";r=3;t=800' })
  expect(shown({ ...general, remaining: 2 }, login)).toMatchObject({ RateLimit: '"default";r=2;t=40' })
  expect(shown({ ...general, remaining: 3 }, login)).toMatchObject({ RateLimit: '"login";r=3;t=800' })
})

it('shows the latest of a policy that is met again', () => {
  const after = { ...login, remaining: 2 }
  expect(shown(general, login, after)).toEqual({
    'RateLimit-Policy': '"default";q=600;w=60, "login";q=10;w=900',
    RateLimit: '"login";r=2;t=800',
  })
})
