import { expect, it, vi } from 'vitest'
import { apiTokenName, createTokenReader } from './api-tokens.ts'

it('reads a token again when its lease ends, and when the service refused it', async () => {
  let now = 0
  const renew = vi.fn((name: string) =>
    Promise.resolve({ values: name === 'API_TOKEN_LOST' ? [] : [`${name}@${now}`], leaseMs: 100 }),
  )
  const read = createTokenReader({ renew }, () => now)
  now = 1
  expect(await read('API_TOKEN_A', false)).toBe('API_TOKEN_A@1')
  now = 100
  expect(await read('API_TOKEN_A', false)).toBe('API_TOKEN_A@1')
  expect(await read('API_TOKEN_A', true)).toBe('API_TOKEN_A@100')
  now = 200
  expect(await read('API_TOKEN_A', false)).toBe('API_TOKEN_A@200')
  await expect(read('API_TOKEN_LOST', false)).rejects.toMatchObject({ code: 'TOKEN_MISSING' })
})

it('keeps a token without a lease until the service refuses it', async () => {
  const renew = vi.fn(() => Promise.resolve({ values: ['token'] }))
  const read = createTokenReader({ renew })
  await read('API_TOKEN_A', false)
  await read('API_TOKEN_A', false)
  expect(renew).toHaveBeenCalledTimes(1)
})

it.each(['API_TOKEN_', 'JWT_SECRET', 'API_TOKEN_a', 'XAPI_TOKEN_A'])(
  'gives no other secret to a service: %s',
  (name) => {
    expect(apiTokenName.safeParse(name).success).toBe(false)
  },
)
