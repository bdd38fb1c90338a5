import { expect, it } from 'vitest'
import { createMemoryRateLimit } from './memory-rate-limit.ts'

const start = { name: 'a', quota: 5, window: 60 }

it('evicts the client with the oldest window', () => {
  let time = 0
  const limit = createMemoryRateLimit({ ...start, maxClients: 2, now: () => time })
  const remaining = (client: string) => limit.look(client).remaining
  for (const client of ['one', 'two', 'one', 'three']) limit.count(client)
  expect(['one', 'two', 'three'].map(remaining)).toEqual([5, 4, 4])

  time = 60_000
  expect(remaining('two')).toBe(5)
  limit.count('two')
  limit.count('four')
  expect(['two', 'three', 'four'].map(remaining)).toEqual([4, 5, 4])
})

it('starts a window with the first request and a new one after its end', () => {
  let time = 1000
  const limit = createMemoryRateLimit({ ...start, quota: 2, now: () => time })
  expect(limit.count('one')).toEqual({ ...start, quota: 2, remaining: 1, reset: 60, exceeded: false })
  time = 60_999
  expect(limit.count('one')).toMatchObject({ remaining: 0, reset: 0.001, exceeded: false })
  expect(limit.count('one')).toMatchObject({ remaining: 0, exceeded: true })
  expect(limit.count('two')).toMatchObject({ remaining: 1 })
  time = 61_000
  expect(limit.count('one')).toMatchObject({ remaining: 1, reset: 60, exceeded: false })
})

it('reads the state without counting', () => {
  const limit = createMemoryRateLimit({ ...start, quota: 1 })
  expect(limit.look('one')).toMatchObject({ remaining: 1, exceeded: false })
  expect(limit.count('one')).toMatchObject({ remaining: 0, exceeded: false })
  expect(limit.look('one')).toMatchObject({ remaining: 0, exceeded: true })
})

it.each([{ quota: 0 }, { window: 0 }, { window: 0.5 }, { quota: Number.NaN }, { maxClients: 0 }])(
  'rejects %j',
  (wrong) => {
    expect(() => createMemoryRateLimit({ ...start, ...wrong })).toThrow(TypeError)
  },
)

// Regression: the header had t=61 with w=60, because the difference of two times is rounded.
it('has a reset of at most the window', () => {
  const limit = createMemoryRateLimit({
    name: 'default',
    quota: 1,
    window: 60,
    now: () => 244460.53242618727,
  })
  expect(limit.count('a').reset).toBe(60)
})
