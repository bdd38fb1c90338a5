import { expect, it } from 'vitest'
import { apiLimits } from './api-limits.ts'

const limitOf = apiLimits({ RATE_LIMIT: 5, RATE_LIMIT_AUTH: 2 })

it('counts routes against the limit that they declare', async () => {
  const [general, one, two] = [
    { operationId: 'list' },
    { operationId: 'logIn', rateLimit: 'auth' },
    { operationId: 'register', rateLimit: 'auth' },
  ]
  expect(limitOf(general)).toBe(limitOf(undefined))
  expect(limitOf({ ...general, rateLimit: 'default' })).toBe(limitOf(undefined))
  expect(limitOf({ operationId: 'probe', rateLimit: false })).toBeUndefined()
  expect(limitOf(one)).toBe(limitOf(one))
  expect(await limitOf(one)?.count('client')).toMatchObject({ name: 'auth', quota: 2, remaining: 1 })
  expect(await limitOf(two)?.count('client')).toMatchObject({ name: 'auth', quota: 2, remaining: 1 })
  expect(await limitOf(general)?.count('client')).toMatchObject({ name: 'default', remaining: 4 })
})

it('refuses a route that names a limit that there is not', () => {
  expect(() => limitOf({ operationId: 'x', rateLimit: 'lavish' })).toThrow(TypeError)
})
