import { expect, it } from 'vitest'
import { createRateLimit, requireWithin } from './rate-limit.ts'

it('counts a bounded number of clients, and forgets those whose windows are the oldest', async () => {
  const limit = createRateLimit({ name: 'a', quota: 5, window: 60, maxClients: 2 })
  for (const client of ['one', 'two', 'one', 'three']) await limit.count(client)
  const remaining = async (client: string) => (await limit.look(client)).remaining
  expect([await remaining('one'), await remaining('two'), await remaining('three')]).toEqual([5, 4, 4])
})

it('forgets nobody whose window is newer, however often others come back', async () => {
  const limit = createRateLimit({ name: 'a', quota: 5, window: 0.05, maxClients: 2 })
  await limit.count('one')
  await limit.count('two')
  await expect.poll(async () => (await limit.look('one')).remaining).toBe(5)
  await limit.count('one')
  await limit.count('three')
  expect((await limit.look('one')).remaining).toBe(4)
})

it('counts nothing by looking', async () => {
  const limit = createRateLimit({ name: 'a', quota: 1, window: 60 })
  expect(await limit.look('one')).toMatchObject({ remaining: 1, exceeded: false })
  expect(await limit.count('one')).toMatchObject({ remaining: 0, exceeded: false })
  expect(await limit.look('one')).toMatchObject({ remaining: 0, exceeded: true })
})

it('refuses, and says when to come back', async () => {
  const limit = createRateLimit({ name: 'a', quota: 1, window: 60 })
  await limit.count('one')
  const standing = await limit.count('one')
  expect(() => {
    requireWithin(standing)
  }).toThrow(
    expect.objectContaining({
      code: 'RATE_LIMITED',
      headers: { 'Retry-After': '60' },
    }) as Error,
  )
})
