import { expect, it } from 'vitest'
import { createRateLimit, requireQuota } from './rate-limit.ts'

it('counts a bounded number of clients and evicts those with the oldest windows', async () => {
  const limit = createRateLimit({ name: 'a', quota: 5, window: 60, maxClients: 2 })
  for (const client of ['one', 'two', 'one', 'three']) await limit.count(client)
  const remaining = async (client: string) => (await limit.look(client)).remaining
  expect([await remaining('one'), await remaining('two'), await remaining('three')]).toEqual([5, 4, 4])
})

it('does not evict a client with a newer window', async () => {
  const limit = createRateLimit({ name: 'a', quota: 5, window: 0.05, maxClients: 2 })
  await limit.count('one')
  await limit.count('two')
  await expect.poll(async () => (await limit.look('one')).remaining).toBe(5)
  await limit.count('one')
  await limit.count('three')
  expect((await limit.look('one')).remaining).toBe(4)
})

it('reads the state without counting', async () => {
  const limit = createRateLimit({ name: 'a', quota: 1, window: 60 })
  expect(await limit.look('one')).toMatchObject({ remaining: 1, exceeded: false })
  expect(await limit.count('one')).toMatchObject({ remaining: 0, exceeded: false })
  expect(await limit.look('one')).toMatchObject({ remaining: 0, exceeded: true })
})

it('rejects with Retry-After over the quota', async () => {
  const limit = createRateLimit({ name: 'a', quota: 1, window: 60 })
  await limit.count('one')
  const state = await limit.count('one')
  expect(() => {
    requireQuota(state)
  }).toThrow(
    expect.objectContaining({
      code: 'RATE_LIMITED',
      headers: { 'Retry-After': '60' },
    }) as Error,
  )
})
