import { expect, it } from 'vitest'
import { apiLimits } from './api-limits.ts'

const selectLimit = apiLimits({ RATE_LIMIT: 5, RATE_LIMIT_AUTH: 2 })

it('applies the declared rate limit of a route', async () => {
  const [general, one, two] = [
    { operationId: 'list' },
    { operationId: 'logIn', rateLimit: 'auth' },
    { operationId: 'register', rateLimit: 'auth' },
  ]
  expect(selectLimit(general)).toBe(selectLimit(undefined))
  expect(selectLimit({ ...general, rateLimit: 'default' })).toBe(selectLimit(undefined))
  expect(selectLimit({ operationId: 'probe', rateLimit: false })).toBeUndefined()
  expect(selectLimit(one)).toBe(selectLimit(one))
  expect(await selectLimit(one)?.count('client')).toMatchObject({ name: 'auth', quota: 2, remaining: 1 })
  expect(await selectLimit(two)?.count('client')).toMatchObject({ name: 'auth', quota: 2, remaining: 1 })
  expect(await selectLimit(general)?.count('client')).toMatchObject({ name: 'default', remaining: 4 })
})

it('rejects a route with an unknown rate limit', () => {
  expect(() => selectLimit({ operationId: 'x', rateLimit: 'lavish' })).toThrow(TypeError)
})
